//! A store of applications reads a row under its lock, gives it back, changes
//! some columns and writes all of them again: what somebody else wrote to the
//! other columns in between is lost.
//@ finding: Store::update_fields
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Clone, Default)]
pub struct Row {
    pub title: String,
    pub status: String,
    pub answers: Vec<String>,
}

pub struct Connection {
    rows: HashMap<u64, Row>,
}

impl Connection {
    fn row_by_id(&self, id: u64) -> Option<Row> {
        self.rows.get(&id).cloned()
    }

    fn write_row(&mut self, id: u64, row: &Row) {
        self.rows.insert(id, row.clone());
    }
}

pub struct Store {
    connection: Mutex<Connection>,
}

impl Store {
    pub fn get(&self, id: u64) -> Option<Row> {
        self.connection.lock().unwrap().row_by_id(id)
    }

    fn write_row(&self, id: u64, row: &Row) {
        self.connection.lock().unwrap().write_row(id, row);
    }

    #[cfg(not(fixed))]
    pub fn update_fields(&self, id: u64, title: Option<String>) -> Result<Row, String> {
        let mut row = self.get(id).ok_or("no such row")?;
        if let Some(title) = title {
            row.title = title;
        }
        self.write_row(id, &row);
        Ok(row)
    }

    #[cfg(fixed)]
    pub fn update_fields(&self, id: u64, title: Option<String>) -> Result<Row, String> {
        let mut connection = self.connection.lock().unwrap();
        let mut row = connection.row_by_id(id).ok_or("no such row")?;
        if let Some(title) = title {
            row.title = title;
        }
        connection.write_row(id, &row);
        Ok(row)
    }

    pub fn add_answer(&self, id: u64, answer: String) {
        let mut connection = self.connection.lock().unwrap();
        if let Some(mut row) = connection.row_by_id(id) {
            row.answers.push(answer);
            connection.write_row(id, &row);
        }
    }
}
