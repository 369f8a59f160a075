//! Question mark results, as far as the cases use it.
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Store {
    map: Mutex<HashMap<u32, String>>,
    log: Mutex<Vec<String>>,
}
impl Store {
    fn append(&self, line: &str) -> Result<usize, String> {
        let mut log = self.log.lock().map_err(|_| "poisoned".to_owned())?;
        log.push(line.to_owned());
        Ok(log.len())
    }
    pub fn put(&self, key: u32, value: &str) -> Result<(), String> {
        self.append(value)?;
        self.map
            .lock()
            .map_err(|_| "poisoned".to_owned())?
            .insert(key, value.to_owned());
        self.append("done")?;
        Ok(())
    }
}
