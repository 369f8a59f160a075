//! Counters of connections that the workers of a web server share (actix-web
//! #72): each is loaded, changed and stored. They are added to now.
//@ finding: WorkerSettings
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

pub struct WorkerSettings<H> {
    handlers: Vec<H>,
    keep_alive: u64,
    channels: Arc<AtomicUsize>,
}

impl<H> WorkerSettings<H> {
    pub fn new(handlers: Vec<H>, keep_alive: u64, channels: Arc<AtomicUsize>) -> Self {
        WorkerSettings {
            handlers,
            keep_alive,
            channels,
        }
    }
    pub fn keep_alive(&self) -> u64 {
        self.keep_alive
    }
    pub fn num_channels(&self) -> usize {
        self.channels.load(Ordering::Relaxed)
    }
    pub fn handlers(&self) -> &[H] {
        &self.handlers
    }
    #[cfg(not(fixed))]
    pub fn add_channel(&self) {
        let num = self.num_channels();
        self.channels.store(num + 1, Ordering::Relaxed);
    }
    #[cfg(not(fixed))]
    pub fn remove_channel(&self) {
        let num = self.channels.load(Ordering::Relaxed);
        if num > 0 {
            self.channels.store(num - 1, Ordering::Relaxed);
        }
    }
    #[cfg(fixed)]
    pub fn add_channel(&self) {
        self.channels.fetch_add(1, Ordering::Relaxed);
    }
    #[cfg(fixed)]
    pub fn remove_channel(&self) {
        self.channels.fetch_sub(1, Ordering::Relaxed);
    }
}

pub trait HttpHandler: Send + 'static {
    fn handle(&mut self, path: &str) -> Option<String>;
}

pub struct HttpServer<F> {
    factory: Arc<F>,
    threads: usize,
}

impl<H: HttpHandler, F: Fn() -> Vec<H> + Send + Sync + 'static> HttpServer<F> {
    pub fn start(&self) -> Vec<JoinHandle<usize>> {
        let channels = Arc::new(AtomicUsize::new(0));
        let mut workers = Vec::new();
        for _ in 0..self.threads {
            let factory = Arc::clone(&self.factory);
            let channels = Arc::clone(&channels);
            workers.push(thread::spawn(move || {
                let mut settings = WorkerSettings::new(factory(), 5, channels);
                let mut served = 0;
                for handler in &mut Vec::from_iter(settings.handlers.drain(..)) {
                    settings.add_channel();
                    served += handler.handle("/").map_or(0, |body| body.len());
                    settings.remove_channel();
                }
                served
            }));
        }
        workers
    }
}
