//! A shop. Between `has_orders` and `treate_order` another worker may take the last
//! order; and a supplier changes number and mark of a product in two steps, although
//! `is_consistent` reads both in one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;

const PRODUCTS: usize = 3;

/// The default is the order of nobody, of nothing.
#[derive(Default)]
struct Order {
    product: usize,
    amount: u32,
}

struct StoreProduct {
    n: u32,
    sold_out: bool,
    price: u32,
}

struct Shop {
    orders: VecDeque<Order>,
    products: [StoreProduct; PRODUCTS],
    log: Vec<u32>,
}

impl Shop {
    fn get_order(&mut self) -> Order {
        self.orders.pop_front().unwrap_or_default()
    }

    fn sell(&mut self, order: &Order) {
        let product = &mut self.products[order.product];
        product.n = product.n.saturating_sub(order.amount);
        if product.n == 0 {
            product.sold_out = true;
        }
        self.log.push(order.amount * product.price);
    }
}

struct Store {
    shop: Mutex<Shop>,
}

impl Store {
    fn add_order(&self, order: Order) {
        self.shop.lock().unwrap().orders.push_back(order);
    }

    fn has_orders(&self) -> bool {
        !self.shop.lock().unwrap().orders.is_empty()
    }

    fn treate_order(&self) {
        let mut shop = self.shop.lock().unwrap();
        let order = shop.get_order();
        shop.sell(&order);
    }

    fn is_consistent(&self, product: usize) -> bool {
        let shop = self.shop.lock().unwrap();
        let product = &shop.products[product];
        (product.n == 0) == product.sold_out
    }

    fn inc_number(&self, product: usize, by: u32) {
        self.shop.lock().unwrap().products[product].n += by;
    }

    fn set_sold_out_a(&self, product: usize, sold_out: bool) {
        self.shop.lock().unwrap().products[product].sold_out = sold_out;
    }

    fn run_client(&self, client: usize) {
        for amount in 1..4 {
            let product = client % PRODUCTS;
            self.add_order(Order { product, amount });
        }
    }

    fn run_worker(&self) {
        for _ in 0..5 {
            if self.has_orders() {
                // Here the order may be gone.
                self.treate_order();
            }
        }
    }

    fn run_supplier(&self, product: usize) {
        for _ in 0..5 {
            let consistent = self.is_consistent(product);
            self.inc_number(product, 2);
            // Here there are some, and they are sold out.
            self.set_sold_out_a(product, false);
            println!("{product} is consistent: {consistent}");
        }
    }
}

fn main() {
    let products = [5, 10, 15].map(|price| StoreProduct {
        n: 1,
        sold_out: false,
        price,
    });
    let shop = Mutex::new(Shop {
        orders: VecDeque::new(),
        products,
        log: Vec::new(),
    });
    let store = Arc::new(Store { shop });
    let mut threads = Vec::new();
    for i in 0..3 {
        let shared = Arc::clone(&store);
        threads.push(thread::spawn(move || shared.run_client(i)));
        let shared = Arc::clone(&store);
        threads.push(thread::spawn(move || shared.run_worker()));
        let shared = Arc::clone(&store);
        threads.push(thread::spawn(move || shared.run_supplier(i)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}
