//! An index is built without the lock, and kept if nothing has changed.
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Default)]
struct Corpus {
    documents: Vec<String>,
    generation: u64,
    index: Option<HashMap<String, Vec<usize>>>,
}

#[derive(Default)]
pub struct Search {
    corpus: Mutex<Corpus>,
}

fn build(documents: &[String]) -> HashMap<String, Vec<usize>> {
    let mut index: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, document) in documents.iter().enumerate() {
        for word in document.split_whitespace() {
            index.entry(word.to_owned()).or_default().push(number);
        }
    }
    index
}

impl Search {
    pub fn add(&self, document: &str) {
        let mut corpus = self.corpus.lock().unwrap();
        corpus.documents.push(document.to_owned());
        corpus.generation += 1;
        corpus.index = None;
    }
    pub fn refresh(&self) -> bool {
        let (documents, generation) = {
            let corpus = self.corpus.lock().unwrap();
            if corpus.index.is_some() {
                return true;
            }
            (corpus.documents.clone(), corpus.generation)
        };
        let index = build(&documents);
        let mut corpus = self.corpus.lock().unwrap();
        if corpus.generation != generation {
            return false;
        }
        corpus.index = Some(index);
        true
    }
    pub fn find(&self, word: &str) -> Option<Vec<usize>> {
        let corpus = self.corpus.lock().unwrap();
        corpus.index.as_ref()?.get(word).cloned()
    }
}
