//! Stock in warehouses, orders that reserve it, and a ledger of what was paid.

pub mod money {
    use std::ops::{Add, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Cents(pub i64);

    impl Add for Cents {
        type Output = Cents;

        fn add(self, other: Cents) -> Cents {
            Cents(self.0 + other.0)
        }
    }

    impl Sub for Cents {
        type Output = Cents;

        fn sub(self, other: Cents) -> Cents {
            Cents(self.0 - other.0)
        }
    }
}

pub mod error {
    use crate::money::Cents;
    use std::fmt;

    #[derive(Debug, PartialEq, Eq)]
    pub enum ShopError {
        UnknownItem(u32),
        UnknownAccount(u32),
        OutOfStock { item: u32, left: u32 },
        Broke { missing: Cents },
    }

    impl fmt::Display for ShopError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    impl std::error::Error for ShopError {}
}

pub mod ledger {
    use crate::error::ShopError;
    use crate::money::Cents;
    use std::collections::HashMap;
    use std::sync::{Mutex, RwLock};

    #[derive(Default)]
    pub struct Account {
        balance: Mutex<Cents>,
    }

    impl Account {
        pub fn balance(&self) -> Cents {
            *self.balance.lock().unwrap()
        }

        pub fn deposit(&self, amount: Cents) {
            let mut balance = self.balance.lock().unwrap();
            *balance = *balance + amount;
        }

        fn set(&self, balance: Cents) {
            *self.balance.lock().unwrap() = balance;
        }

        /// RIGHT: checks and acts under one guard.
        pub fn withdraw(&self, amount: Cents) -> Result<(), ShopError> {
            let mut balance = self.balance.lock().unwrap();
            if *balance < amount {
                return Err(ShopError::Broke {
                    missing: amount - *balance,
                });
            }
            *balance = *balance - amount;
            Ok(())
        }
    }

    #[derive(Default)]
    pub struct Ledger {
        accounts: RwLock<HashMap<u32, Account>>,
        fees: Mutex<Cents>,
    }

    impl Ledger {
        fn with<R>(&self, id: u32, act: impl FnOnce(&Account) -> R) -> Result<R, ShopError> {
            let accounts = self.accounts.read().unwrap();
            let account = accounts.get(&id).ok_or(ShopError::UnknownAccount(id))?;
            Ok(act(account))
        }

        pub fn balance(&self, id: u32) -> Result<Cents, ShopError> {
            self.with(id, Account::balance)
        }

        /// RIGHT: `entry` under one lock.
        pub fn open(&self, id: u32) {
            self.accounts.write().unwrap().entry(id).or_default();
        }

        /// RIGHT: one section each way, and the first is undone if the second fails.
        pub fn transfer(&self, from: u32, to: u32, amount: Cents) -> Result<(), ShopError> {
            self.with(from, |account| account.withdraw(amount))??;
            self.with(to, |account| account.deposit(amount)).inspect_err(|_| {
                let _ = self.with(from, |account| account.deposit(amount));
            })
        }

        /// BUG stale value written back, through accessors: deposits in between are lost.
        #[cfg(not(fixed))]
        pub fn charge_fee(&self, id: u32, percent: i64) -> Result<Cents, ShopError> {
            let accounts = self.accounts.read().unwrap();
            let account = accounts.get(&id).ok_or(ShopError::UnknownAccount(id))?;
            let balance = account.balance();
            let fee = Cents(balance.0 * percent / 100);
            account.set(balance - fee);
            let mut fees = self.fees.lock().unwrap();
            *fees = *fees + fee;
            Ok(fee)
        }

        #[cfg(fixed)]
        pub fn charge_fee(&self, id: u32, percent: i64) -> Result<Cents, ShopError> {
            let accounts = self.accounts.read().unwrap();
            let account = accounts.get(&id).ok_or(ShopError::UnknownAccount(id))?;
            let fee = {
                let mut balance = account.balance.lock().unwrap();
                let fee = Cents(balance.0 * percent / 100);
                *balance = *balance - fee;
                fee
            };
            let mut fees = self.fees.lock().unwrap();
            *fees = *fees + fee;
            Ok(fee)
        }

        /// RIGHT: only with `&mut self`.
        pub fn reset(&mut self) {
            let total: i64 = self
                .accounts
                .read()
                .unwrap()
                .values()
                .map(|account| account.balance().0)
                .sum();
            for account in self.accounts.read().unwrap().values() {
                account.set(Cents(0));
            }
            *self.fees.lock().unwrap() = Cents(total);
        }
    }
}

pub mod stock {
    use crate::error::ShopError;
    use std::collections::HashMap;
    use std::sync::{RwLock, RwLockWriteGuard};

    #[derive(Default, Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Level {
        pub on_hand: u32,
        pub reserved: u32,
    }

    impl Level {
        pub fn free(&self) -> u32 {
            self.on_hand - self.reserved
        }
    }

    #[derive(Default)]
    pub struct Warehouse {
        levels: RwLock<HashMap<u32, Level>>,
        order: RwLock<Vec<u32>>,
    }

    impl Warehouse {
        fn write(&self) -> RwLockWriteGuard<'_, HashMap<u32, Level>> {
            self.levels.write().unwrap()
        }

        pub fn level(&self, item: u32) -> Result<Level, ShopError> {
            let levels = self.levels.read().unwrap();
            levels.get(&item).copied().ok_or(ShopError::UnknownItem(item))
        }

        pub fn receive(&self, item: u32, count: u32) {
            let new = {
                let mut levels = self.write();
                let new = !levels.contains_key(&item);
                levels.entry(item).or_default().on_hand += count;
                new
            };
            if new {
                self.order.write().unwrap().push(item);
            }
        }

        /// BUG check-then-act: more is reserved than there is.
        #[cfg(not(fixed))]
        pub fn reserve(&self, item: u32, count: u32) -> Result<(), ShopError> {
            let left = self.level(item)?.free();
            if left < count {
                return Err(ShopError::OutOfStock { item, left });
            }
            let mut levels = self.write();
            levels.entry(item).or_default().reserved += count;
            Ok(())
        }

        #[cfg(fixed)]
        pub fn reserve(&self, item: u32, count: u32) -> Result<(), ShopError> {
            let mut levels = self.write();
            let level = levels.get_mut(&item).ok_or(ShopError::UnknownItem(item))?;
            let left = level.free();
            if left < count {
                return Err(ShopError::OutOfStock { item, left });
            }
            level.reserved += count;
            Ok(())
        }

        /// RIGHT: what is written does not depend on what was read before.
        pub fn ship(&self, item: u32, count: u32) -> Result<(), ShopError> {
            let mut levels = self.write();
            let level = levels.get_mut(&item).ok_or(ShopError::UnknownItem(item))?;
            level.on_hand -= count;
            level.reserved -= count;
            Ok(())
        }

        /// BUG stale index: the list may be sorted or shorter by then.
        #[cfg(not(fixed))]
        pub fn delist(&self, item: u32) -> bool {
            let at = self.order.read().unwrap().iter().position(|&listed| listed == item);
            let Some(at) = at else { return false };
            self.order.write().unwrap().remove(at);
            true
        }

        #[cfg(fixed)]
        pub fn delist(&self, item: u32) -> bool {
            let mut order = self.order.write().unwrap();
            let at = order.iter().position(|&listed| listed == item);
            let Some(at) = at else { return false };
            order.remove(at);
            true
        }

        pub fn sort(&self) {
            self.order.write().unwrap().sort_unstable();
        }

        /// RIGHT: a copy to print.
        pub fn listing(&self) -> String {
            let order = self.order.read().unwrap().clone();
            let mut text = String::new();
            for item in order {
                if let Ok(level) = self.level(item) {
                    text.push_str(&format!("{item}: {} of {}\n", level.free(), level.on_hand));
                }
            }
            text
        }
    }
}

pub mod shop {
    use crate::error::ShopError;
    use crate::ledger::Ledger;
    use crate::money::Cents;
    use crate::stock::Warehouse;
    use std::sync::{Arc, Mutex};
    use std::thread;

    #[derive(Clone, Debug)]
    pub struct Order {
        pub item: u32,
        pub count: u32,
        pub buyer: u32,
        pub price: Cents,
    }

    struct Books {
        orders: Vec<Order>,
        revenue: Cents,
    }

    pub struct Shop {
        pub ledger: Ledger,
        pub warehouse: Warehouse,
        books: Mutex<Books>,
        owner: u32,
    }

    impl Shop {
        pub fn new(owner: u32) -> Arc<Self> {
            Arc::new(Shop {
                ledger: Ledger::default(),
                warehouse: Warehouse::default(),
                books: Mutex::new(Books {
                    orders: Vec::new(),
                    revenue: Cents(0),
                }),
                owner,
            })
        }

        pub fn buy(&self, order: Order) -> Result<usize, ShopError> {
            self.warehouse.reserve(order.item, order.count)?;
            self.ledger.transfer(order.buyer, self.owner, order.price)?;
            let mut books = self.books.lock().unwrap();
            books.revenue = books.revenue + order.price;
            books.orders.push(order);
            Ok(books.orders.len())
        }

        /// BUG pair: the revenue of one moment and the number of orders of another.
        #[cfg(not(fixed))]
        pub fn average(&self) -> Option<Cents> {
            let count = self.books.lock().unwrap().orders.len() as i64;
            if count == 0 {
                return None;
            }
            let revenue = self.books.lock().unwrap().revenue;
            Some(Cents(revenue.0 / count))
        }

        #[cfg(fixed)]
        pub fn average(&self) -> Option<Cents> {
            let books = self.books.lock().unwrap();
            let count = books.orders.len() as i64;
            if count == 0 {
                return None;
            }
            Some(Cents(books.revenue.0 / count))
        }

        /// RIGHT: orders of different threads are independent of each other.
        pub fn buy_all(self: &Arc<Self>, orders: Vec<Order>) -> usize {
            thread::scope(|scope| {
                let handles: Vec<_> = orders
                    .into_iter()
                    .map(|order| scope.spawn(move || self.buy(order).is_ok()))
                    .collect();
                handles.into_iter().filter_map(|handle| handle.join().ok()).filter(|ok| *ok).count()
            })
        }
    }
}

pub use error::ShopError;
pub use shop::{Order, Shop};
