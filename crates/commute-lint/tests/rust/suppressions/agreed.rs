//! Who moves stock holds the order book, who counts it holds the ledger: both
//! have agreed that stock only changes while the shop is closed. Who holds
//! nothing has agreed to nothing.
//@ suppression: Agreed
//@ finding: Shop::reprice
use std::sync::Mutex;
pub struct Shop {
    book: Mutex<Vec<u64>>,
    ledger: Mutex<Vec<u64>>,
    stock: Mutex<u64>,
}
impl Shop {
    pub fn reprice(&self, factor: u64) {
        let mut book = self.book.lock().unwrap();
        let stock = *self.stock.lock().unwrap();
        book.push(stock);
        *self.stock.lock().unwrap() = stock * factor;
    }
    #[cfg(fixed)]
    pub fn count(&self) {
        let mut ledger = self.ledger.lock().unwrap();
        let mut stock = self.stock.lock().unwrap();
        *stock += 1;
        ledger.push(*stock);
    }
    #[cfg(not(fixed))]
    pub fn count(&self) {
        *self.stock.lock().unwrap() += 1;
        let counted = self.ledger.lock().unwrap();
        drop(counted);
    }
}
