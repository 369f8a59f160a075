//! A helper runs what a closure makes until it succeeds. What it runs takes
//! the next number and stores the one after it, with two locks: numbers are
//! given twice. One lock now does both.
//@ finding: Numbers::reserve
use tokio::sync::Mutex;

#[derive(Default)]
pub struct Numbers {
    next: Mutex<u64>,
}

async fn persist(number: u64) -> Result<(), String> {
    tokio::task::yield_now().await;
    match number {
        0 => Err("none".to_owned()),
        _ => Ok(()),
    }
}

async fn retry<T, F, R>(times: u32, mut run: F) -> Result<T, String>
where
    F: FnMut() -> R,
    R: Future<Output = Result<T, String>>,
{
    let mut last = Err("not run".to_owned());
    for _ in 0..times {
        last = run().await;
        if last.is_ok() {
            return last;
        }
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    last
}

impl Numbers {
    #[cfg(not(fixed))]
    pub async fn reserve(&self) -> Result<u64, String> {
        retry(3, || async {
            let number = *self.next.lock().await;
            persist(number).await?;
            *self.next.lock().await = number + 1;
            Ok(number)
        })
        .await
    }

    #[cfg(fixed)]
    pub async fn reserve(&self) -> Result<u64, String> {
        retry(3, || async {
            let mut next = self.next.lock().await;
            persist(*next).await?;
            *next += 1;
            Ok(*next)
        })
        .await
    }
}
