//! `store` repaired: workers and suppliers hold the lock for all they do in a round.

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

    fn add_order(&mut self, order: Order) {
        self.orders.push_back(order);
    }

    fn has_orders(&self) -> bool {
        !self.orders.is_empty()
    }

    fn treate_order(&mut self) {
        let order = self.get_order();
        self.sell(&order);
    }

    fn is_consistent(&self, product: usize) -> bool {
        let product = &self.products[product];
        (product.n == 0) == product.sold_out
    }

    fn inc_number(&mut self, product: usize, by: u32) {
        self.products[product].n += by;
    }

    fn set_sold_out_a(&mut self, product: usize, sold_out: bool) {
        self.products[product].sold_out = sold_out;
    }
}

struct Store {
    shop: Mutex<Shop>,
}

impl Store {
    fn run_client(&self, client: usize) {
        for amount in 1..4 {
            let product = client % PRODUCTS;
            let mut shop = self.shop.lock().unwrap();
            shop.add_order(Order { product, amount });
        }
    }

    fn run_worker(&self) {
        for _ in 0..5 {
            let mut shop = self.shop.lock().unwrap();
            if shop.has_orders() {
                shop.treate_order();
            }
        }
    }

    fn run_supplier(&self, product: usize) {
        for _ in 0..5 {
            let mut shop = self.shop.lock().unwrap();
            let consistent = shop.is_consistent(product);
            shop.inc_number(product, 2);
            shop.set_sold_out_a(product, false);
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
