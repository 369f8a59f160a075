//! A language server computes edits from the text of a document and applies
//! them later. The user has typed in between: the ranges point elsewhere, and
//! the text is garbled. Edits now come with the version that they are for.
//@ finding: Server::format
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

#[derive(Clone, Default)]
pub struct Document {
    text: String,
    version: i32,
}

#[derive(Clone, Default)]
pub struct Server {
    documents: Arc<RwLock<HashMap<String, Document>>>,
}

fn trailing_space(text: &str) -> Option<(usize, usize)> {
    let end = text.trim_end().len();
    (end < text.len()).then_some((end, text.len()))
}

impl Server {
    fn snapshot(&self, uri: &str) -> Option<Document> {
        self.documents.read().unwrap().get(uri).cloned()
    }

    pub fn did_change(&self, uri: &str, text: String) {
        let mut documents = self.documents.write().unwrap();
        let document = documents.entry(uri.to_owned()).or_default();
        document.text = text;
        document.version += 1;
    }

    pub fn format(&self, uri: &str) -> bool {
        let Some(document) = self.snapshot(uri) else {
            return false;
        };
        let Some((start, end)) = trailing_space(&document.text) else {
            return false;
        };
        let mut documents = self.documents.write().unwrap();
        let Some(current) = documents.get_mut(uri) else {
            return false;
        };
        #[cfg(fixed)]
        if current.version != document.version {
            return false;
        }
        current.text.replace_range(start..end, "\n");
        current.version += 1;
        true
    }
}
