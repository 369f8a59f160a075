//! One task owns the totals; others send to it, and read what it publishes.
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

pub enum Command {
    Add(String, i64),
    Reset,
}

#[derive(Clone, Default)]
pub struct Published {
    totals: Arc<Mutex<HashMap<String, i64>>>,
}

impl Published {
    pub async fn total(&self, name: &str) -> i64 {
        self.totals.lock().await.get(name).copied().unwrap_or(0)
    }
}

async fn run(mut commands: mpsc::Receiver<Command>, published: Published) {
    let mut totals: HashMap<String, i64> = HashMap::new();
    while let Some(command) = commands.recv().await {
        match command {
            Command::Add(name, by) => *totals.entry(name).or_insert(0) += by,
            Command::Reset => totals.clear(),
        }
        *published.totals.lock().await = totals.clone();
    }
}

pub fn start(commands: mpsc::Receiver<Command>) -> Published {
    let published = Published::default();
    tokio::spawn(run(commands, published.clone()));
    published
}

pub async fn report(published: &Published, commands: &mpsc::Sender<Command>) -> Option<i64> {
    let total = published.total("all").await;
    let reported = Command::Add("reports".to_owned(), 1);
    commands.send(reported).await.ok()?;
    Some(total)
}
