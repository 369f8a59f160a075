//! `arithmetic_database` repaired: one lock for both tables, and
//! `insert_new_expression` holds it from beginning to end.

use std::sync::{Arc, Mutex};
use std::thread;

const CLIENTS: i64 = 5;

struct Table<K, V> {
    table: Vec<(K, V)>,
}

impl<K: Ord + Clone, V> Table<K, V> {
    fn iterator(&self) -> std::slice::Iter<'_, (K, V)> {
        self.table.iter()
    }

    fn insert(&mut self, key: K, value: V) {
        self.table.push((key, value));
    }

    fn count(&self) -> usize {
        self.table.len()
    }

    fn get_max_key(&self) -> Option<K> {
        let mut max = None;
        for (key, _) in self.iterator() {
            if max.as_ref().is_none_or(|max| key > max) {
                max = Some(key.clone());
            }
        }
        max
    }
}

struct Tables {
    exp_table: Table<String, i64>,
    res_table: Table<i64, i64>,
}

impl Tables {
    fn get_key_by_result(&self, result: i64) -> i64 {
        for (key, value) in self.res_table.iterator() {
            if *value == result {
                return *key;
            }
        }
        -1
    }
}

struct Client {
    tables: Mutex<Tables>,
}

impl Client {
    fn insert_new_expression(&self, expression: String, value: i64) {
        let mut tables = self.tables.lock().unwrap();
        let mut key = tables.get_key_by_result(value);
        if key < 0 {
            key = tables.res_table.get_max_key().unwrap_or(0) + 1;
            tables.res_table.insert(key, value);
        }
        tables.exp_table.insert(expression, key);
    }

    fn run(&self, client: i64) {
        for i in 0..3 {
            self.insert_new_expression(format!("{client} + {i}"), client + i);
        }
    }
}

fn main() {
    let tables = Mutex::new(Tables {
        exp_table: Table { table: Vec::new() },
        res_table: Table { table: Vec::new() },
    });
    let shared = Arc::new(Client { tables });
    let mut threads = Vec::new();
    for client in 0..CLIENTS {
        let shared = Arc::clone(&shared);
        threads.push(thread::spawn(move || shared.run(client)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    let tables = shared.tables.lock().unwrap();
    println!("{} expressions", tables.exp_table.count());
    println!("{} results", tables.res_table.count());
}
