//! `OnceLock::get_or_init` decides once; `set` says if it was the first.
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
static OPENED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub fn configure(path: &Path) -> Result<(), PathBuf> {
    DIRECTORY.set(path.to_owned())
}

pub fn directory() -> &'static Path {
    DIRECTORY.get_or_init(std::env::temp_dir)
}

pub fn open(name: &str) -> std::io::Result<std::fs::File> {
    let path = directory().join(name);
    let file = std::fs::File::open(&path)?;
    let mut opened = OPENED.lock().unwrap();
    if !opened.contains(&path) {
        opened.push(path);
    }
    Ok(file)
}

pub fn opened() -> usize {
    OPENED.lock().unwrap().len()
}
