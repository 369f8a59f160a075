//! An agent writes a configuration if its generation is not older than the one
//! it has. The generation is asked, the file is written, and the generation is
//! set, each for itself: an older request may write its file last. One task at
//! a time may do so now.
//@ finding: Context::apply
use std::sync::Arc;
use tokio::sync::Mutex;

#[derive(Default)]
pub struct Context {
    generation: Mutex<Option<u64>>,
    file: Mutex<String>,
}

impl Context {
    #[cfg(not(fixed))]
    pub async fn generation(&self) -> Option<u64> {
        *self.generation.lock().await
    }

    async fn write_file(&self, text: &str) {
        *self.file.lock().await = text.to_owned();
    }

    #[cfg(not(fixed))]
    pub async fn apply(self: &Arc<Self>, incoming: u64, text: &str) -> Result<(), String> {
        let current = self.generation().await;
        if let Some(current) = current {
            if current > incoming {
                return Err(format!("{incoming} is older than {current}"));
            }
        }
        self.write_file(text).await;
        *self.generation.lock().await = Some(incoming);
        Ok(())
    }

    #[cfg(fixed)]
    pub async fn apply(self: &Arc<Self>, incoming: u64, text: &str) -> Result<(), String> {
        let mut generation = self.generation.lock().await;
        if let Some(current) = *generation {
            if current > incoming {
                return Err(format!("{incoming} is older than {current}"));
            }
        }
        self.write_file(text).await;
        *generation = Some(incoming);
        Ok(())
    }
}
