//! Parallel workers keep what nobody has seen, in two steps.
//@ finding: unique
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::Mutex;

pub struct File {
    path: String,
    data: Vec<u8>,
}

fn digest(data: &[u8]) -> u64 {
    data.iter().fold(7, |sum, byte| sum * 31 + u64::from(*byte))
}

pub fn unique(files: &[File]) -> Vec<String> {
    let seen = Mutex::new(HashSet::new());
    let kept = Mutex::new(Vec::new());
    files.par_iter().for_each(|file| {
        let digest = digest(&file.data);
        #[cfg(not(fixed))]
        {
            if seen.lock().unwrap().contains(&digest) {
                return;
            }
            seen.lock().unwrap().insert(digest);
            kept.lock().unwrap().push(file.path.clone());
        }
        #[cfg(fixed)]
        if seen.lock().unwrap().insert(digest) {
            kept.lock().unwrap().push(file.path.clone());
        }
    });
    kept.into_inner().unwrap()
}
