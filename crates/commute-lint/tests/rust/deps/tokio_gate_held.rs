//! Stock is taken with two calls of a store, each with its own lock. A gate is
//! now held around both, which all that write go through.
//@ finding: Shop::buy
use std::collections::HashMap;
use std::pin::Pin;
use tokio::sync::{Mutex, RwLock};

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

trait Stock: Send + Sync {
    fn left<'a>(&'a self, article: u32) -> Boxed<'a, u32>;
    fn set<'a>(&'a self, article: u32, left: u32) -> Boxed<'a, ()>;
}

#[derive(Default)]
struct Memory {
    left: RwLock<HashMap<u32, u32>>,
}

impl Stock for Memory {
    fn left<'a>(&'a self, article: u32) -> Boxed<'a, u32> {
        Box::pin(async move { self.left.read().await.get(&article).copied().unwrap_or(0) })
    }

    fn set<'a>(&'a self, article: u32, left: u32) -> Boxed<'a, ()> {
        Box::pin(async move {
            self.left.write().await.insert(article, left);
        })
    }
}

pub struct Shop {
    stock: Box<dyn Stock>,
    gate: Mutex<()>,
}

impl Shop {
    pub fn open() -> Shop {
        Shop {
            stock: Box::new(Memory::default()),
            gate: Mutex::new(()),
        }
    }

    pub async fn buy(&self, article: u32) -> bool {
        #[cfg(fixed)]
        let _gate = self.gate.lock().await;
        let left = self.stock.left(article).await;
        if left == 0 {
            return false;
        }
        self.stock.set(article, left - 1).await;
        true
    }

    pub async fn fill(&self, article: u32, count: u32) {
        let _gate = self.gate.lock().await;
        self.stock.set(article, count).await;
    }
}
