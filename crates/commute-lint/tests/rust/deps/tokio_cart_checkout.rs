//! What is added to the cart during payment is neither paid nor kept.
//@ finding: Shop::checkout
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

#[derive(Clone, Default)]
pub struct Cart {
    items: Vec<(String, u64)>,
}

impl Cart {
    fn total(&self) -> u64 {
        self.items.iter().map(|(_, price)| *price).sum()
    }
}

#[derive(Clone, Default)]
pub struct Shop {
    carts: Arc<Mutex<HashMap<u64, Cart>>>,
}

async fn pay(user: u64, amount: u64) -> Result<(), String> {
    tokio::time::sleep(tokio::time::Duration::from_millis(amount)).await;
    if user == 0 { Err("guest".to_owned()) } else { Ok(()) }
}

impl Shop {
    pub async fn add(&self, user: u64, item: &str, price: u64) {
        let mut carts = self.carts.lock().await;
        let cart = carts.entry(user).or_default();
        cart.items.push((item.to_owned(), price));
    }
    #[cfg(not(fixed))]
    pub async fn checkout(&self, user: u64) -> Result<u64, String> {
        let total = {
            let carts = self.carts.lock().await;
            carts.get(&user).map(Cart::total).ok_or("no cart")?
        };
        pay(user, total).await?;
        self.carts.lock().await.remove(&user);
        Ok(total)
    }
    #[cfg(fixed)]
    pub async fn checkout(&self, user: u64) -> Result<u64, String> {
        let cart = self.carts.lock().await.remove(&user).ok_or("no cart")?;
        let total = cart.total();
        if let Err(error) = pay(user, total).await {
            let mut carts = self.carts.lock().await;
            carts.entry(user).or_default().items.extend(cart.items);
            return Err(error);
        }
        Ok(total)
    }
}
