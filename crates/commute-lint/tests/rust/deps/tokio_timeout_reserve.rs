//! Seats are asked for and taken with a limit of time for each. Two that ask at
//! the same time get one seat. Both are now one call under one lock.
//@ finding: Booking::reserve
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::timeout;

#[derive(Default)]
pub struct Booking {
    seats: Mutex<HashMap<u32, String>>,
}

impl Booking {
    async fn is_free(&self, seat: u32) -> bool {
        !self.seats.lock().await.contains_key(&seat)
    }

    async fn take(&self, seat: u32, who: String) {
        self.seats.lock().await.insert(seat, who);
    }

    async fn take_if_free(&self, seat: u32, who: String) -> bool {
        let mut seats = self.seats.lock().await;
        if seats.contains_key(&seat) {
            return false;
        }
        seats.insert(seat, who);
        true
    }

    #[cfg(not(fixed))]
    pub async fn reserve(&self, seat: u32, who: String) -> Result<bool, &'static str> {
        let limit = Duration::from_secs(1);
        let free = timeout(limit, self.is_free(seat)).await;
        if !free.map_err(|_| "too late")? {
            return Ok(false);
        }
        let taken = timeout(limit, self.take(seat, who)).await;
        taken.map_err(|_| "too late")?;
        Ok(true)
    }

    #[cfg(fixed)]
    pub async fn reserve(&self, seat: u32, who: String) -> Result<bool, &'static str> {
        let limit = Duration::from_secs(1);
        let taken = timeout(limit, self.take_if_free(seat, who)).await;
        taken.map_err(|_| "too late")
    }
}
