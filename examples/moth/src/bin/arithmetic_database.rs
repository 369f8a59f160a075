//! Expressions and their results, in two tables. `insert_new_expression` looks for a
//! result, then for the largest key, then inserts: in between others may insert the
//! same result or the same key.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::thread;

const CLIENTS: i64 = 5;

struct Rows<K, V> {
    table: Vec<(K, V)>,
}

impl<K, V> Rows<K, V> {
    fn iterator(&self) -> std::slice::Iter<'_, (K, V)> {
        self.table.iter()
    }
}

struct Table<K, V> {
    rows: Mutex<Rows<K, V>>,
}

impl<K: Ord + Clone + Debug, V: Debug> Table<K, V> {
    fn new() -> Table<K, V> {
        let rows = Mutex::new(Rows { table: Vec::new() });
        Table { rows }
    }

    fn insert(&self, key: K, value: V) {
        self.rows.lock().unwrap().table.push((key, value));
    }

    fn count(&self) -> usize {
        self.rows.lock().unwrap().table.len()
    }

    fn get_max_key(&self) -> Option<K> {
        let rows = self.rows.lock().unwrap();
        let mut max = None;
        for (key, _) in rows.iterator() {
            if max.as_ref().is_none_or(|max| key > max) {
                max = Some(key.clone());
            }
        }
        max
    }

    #[expect(clippy::inherent_to_string, reason = "it is an atomic method")]
    fn to_string(&self) -> String {
        format!("{:?}", self.rows.lock().unwrap().table)
    }
}

struct Client {
    exp_table: Table<String, i64>,
    res_table: Table<i64, i64>,
}

impl Client {
    fn get_key_by_result(&self, result: i64) -> i64 {
        let rows = self.res_table.rows.lock().unwrap();
        for (key, value) in rows.iterator() {
            if *value == result {
                return *key;
            }
        }
        -1
    }

    fn insert_new_expression(&self, expression: String, value: i64) {
        let mut key = self.get_key_by_result(value);
        if key < 0 {
            // Here somebody may have inserted the result.
            key = self.res_table.get_max_key().unwrap_or(0) + 1;
            // Here somebody may have taken the key.
            self.res_table.insert(key, value);
        }
        self.exp_table.insert(expression, key);
    }

    fn run(&self, client: i64) {
        for i in 0..3 {
            self.insert_new_expression(format!("{client} + {i}"), client + i);
        }
    }
}

fn main() {
    let tables = Arc::new(Client {
        exp_table: Table::new(),
        res_table: Table::new(),
    });
    let mut threads = Vec::new();
    for client in 0..CLIENTS {
        let tables = Arc::clone(&tables);
        threads.push(thread::spawn(move || tables.run(client)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{} expressions", tables.exp_table.count());
    println!("{}", tables.res_table.to_string());
}
