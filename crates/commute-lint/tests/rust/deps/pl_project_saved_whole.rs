//! A generic store behind a trait; the caller keeps a snapshot in a structure.
//@ finding: Editor::rename
use parking_lot::RwLock;
use std::sync::Arc;

pub trait Backend: Send + Sync {
    fn load(&self) -> Project;
    fn save(&self, project: Project);
}

#[derive(Clone, Default)]
pub struct Project {
    name: String,
    files: Vec<String>,
}

#[derive(Default)]
pub struct Memory {
    project: RwLock<Project>,
}

impl Backend for Memory {
    fn load(&self) -> Project {
        self.project.read().clone()
    }
    fn save(&self, project: Project) {
        *self.project.write() = project;
    }
}

impl Memory {
    pub fn add_file(&self, file: &str) {
        self.project.write().files.push(file.to_owned());
    }
    pub fn set_name(&self, name: &str) {
        self.project.write().name = name.to_owned();
    }
}

pub struct Editor {
    backend: Arc<Memory>,
}

impl Editor {
    #[cfg(not(fixed))]
    pub fn rename(&self, name: &str) {
        let mut project = self.backend.load();
        project.name = name.trim().to_owned();
        self.backend.save(project);
    }
    #[cfg(fixed)]
    pub fn rename(&self, name: &str) {
        self.backend.set_name(name.trim());
    }
}
