//! Counters, gauges and histograms by name, with snapshots and a thread that reports them.

pub mod instrument {
    use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
    use std::sync::Mutex;

    #[derive(Default)]
    pub struct Counter(AtomicU64);

    impl Counter {
        pub fn add(&self, count: u64) {
            self.0.fetch_add(count, Ordering::Relaxed);
        }

        pub fn get(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }

        /// BUG atomic load … store: what is added in between is in no report.
        #[cfg(not(fixed))]
        pub fn take(&self) -> u64 {
            let count = self.get();
            if count > 0 {
                self.0.store(0, Ordering::Relaxed);
            }
            count
        }

        #[cfg(fixed)]
        pub fn take(&self) -> u64 {
            self.0.swap(0, Ordering::Relaxed)
        }
    }

    #[derive(Default)]
    pub struct Gauge(AtomicI64);

    impl Gauge {
        /// RIGHT: the last who sets it counts.
        pub fn set(&self, value: i64) {
            self.0.store(value, Ordering::Relaxed);
        }

        pub fn get(&self) -> i64 {
            self.0.load(Ordering::Relaxed)
        }

        /// RIGHT: `fetch_update` tries again.
        pub fn raise_to(&self, value: i64) {
            let _ = self
                .0
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| (value > old).then_some(value));
        }
    }

    #[derive(Clone, Default, Debug)]
    struct Buckets {
        counts: Vec<u64>,
        sum: f64,
        samples: u64,
    }

    pub struct Histogram {
        bounds: Vec<f64>,
        buckets: Mutex<Buckets>,
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Summary {
        pub mean: f64,
        pub samples: u64,
    }

    impl Histogram {
        pub fn new(bounds: Vec<f64>) -> Self {
            let counts = vec![0; bounds.len() + 1];
            Histogram {
                bounds,
                buckets: Mutex::new(Buckets {
                    counts,
                    ..Buckets::default()
                }),
            }
        }

        /// RIGHT: the bounds never change, so the index stays right.
        pub fn observe(&self, value: f64) {
            let at = self.bounds.partition_point(|bound| *bound < value);
            let mut buckets = self.buckets.lock().unwrap();
            buckets.counts[at] += 1;
            buckets.sum += value;
            buckets.samples += 1;
        }

        fn samples(&self) -> u64 {
            self.buckets.lock().unwrap().samples
        }

        fn sum(&self) -> f64 {
            self.buckets.lock().unwrap().sum
        }

        /// BUG pair: sum and number of samples of two moments.
        #[cfg(not(fixed))]
        pub fn summary(&self) -> Summary {
            let samples = self.samples();
            let mean = if samples == 0 { 0.0 } else { self.sum() / samples as f64 };
            Summary { mean, samples }
        }

        #[cfg(fixed)]
        pub fn summary(&self) -> Summary {
            let buckets = self.buckets.lock().unwrap();
            let samples = buckets.samples;
            let mean = if samples == 0 { 0.0 } else { buckets.sum / samples as f64 };
            Summary { mean, samples }
        }

        /// BUG stale value written back: samples between the copy and the store are lost.
        #[cfg(not(fixed))]
        pub fn merge(&self, other: &[u64]) {
            let mut merged = self.buckets.lock().unwrap().clone();
            for (count, more) in merged.counts.iter_mut().zip(other) {
                *count += more;
                merged.samples += more;
            }
            *self.buckets.lock().unwrap() = merged;
        }

        #[cfg(fixed)]
        pub fn merge(&self, other: &[u64]) {
            let mut buckets = self.buckets.lock().unwrap();
            let Buckets { counts, samples, .. } = &mut *buckets;
            for (count, more) in counts.iter_mut().zip(other) {
                *count += more;
                *samples += more;
            }
        }

        /// RIGHT: only for a line of text; `samples` is a hint how much there was.
        pub fn describe(&self) -> String {
            format!("{} samples in {} buckets", self.samples(), self.bounds.len())
        }

        pub fn mean_is_known(&self) -> bool {
            self.samples() > 0 && self.sum().is_finite()
        }
    }
}

pub mod registry {
    use crate::instrument::{Counter, Gauge, Histogram, Summary};
    use std::collections::BTreeMap;
    use std::sync::{Arc, OnceLock, RwLock};

    #[derive(Debug, PartialEq, Eq)]
    pub enum MetricError {
        Duplicate(String),
        WrongKind(String),
    }

    #[derive(Clone)]
    pub enum Metric {
        Counter(Arc<Counter>),
        Gauge(Arc<Gauge>),
        Histogram(Arc<Histogram>),
    }

    #[derive(Clone, Debug, PartialEq)]
    pub enum Value {
        Count(u64),
        Level(i64),
        Summary(Summary),
    }

    impl Metric {
        fn read(&self) -> Value {
            match self {
                Metric::Counter(counter) => Value::Count(counter.get()),
                Metric::Gauge(gauge) => Value::Level(gauge.get()),
                Metric::Histogram(histogram) => Value::Summary(histogram.summary()),
            }
        }
    }

    #[derive(Default)]
    struct Names {
        metrics: BTreeMap<String, Metric>,
        version: u64,
    }

    #[derive(Default)]
    pub struct Registry {
        names: RwLock<Names>,
        helps: RwLock<BTreeMap<String, String>>,
    }

    impl Registry {
        /// RIGHT: made once, by whoever comes first.
        pub fn global() -> &'static Registry {
            static GLOBAL: OnceLock<Registry> = OnceLock::new();
            GLOBAL.get_or_init(Registry::default)
        }

        fn lookup(&self, name: &str) -> Option<Metric> {
            self.names.read().unwrap().metrics.get(name).cloned()
        }

        #[cfg(not(fixed))]
        fn add(&self, name: &str, metric: Metric) {
            let mut names = self.names.write().unwrap();
            names.metrics.insert(name.to_owned(), metric);
            names.version += 1;
        }

        /// BUG check-then-act: two counters of one name, and what one of them counts is lost.
        #[cfg(not(fixed))]
        pub fn counter(&self, name: &str) -> Result<Arc<Counter>, MetricError> {
            match self.lookup(name) {
                Some(Metric::Counter(counter)) => return Ok(counter),
                Some(_) => return Err(MetricError::WrongKind(name.to_owned())),
                None => {}
            }
            let counter = Arc::new(Counter::default());
            self.add(name, Metric::Counter(Arc::clone(&counter)));
            Ok(counter)
        }

        #[cfg(fixed)]
        pub fn counter(&self, name: &str) -> Result<Arc<Counter>, MetricError> {
            let mut names = self.names.write().unwrap();
            match names.metrics.get(name) {
                Some(Metric::Counter(counter)) => return Ok(Arc::clone(counter)),
                Some(_) => return Err(MetricError::WrongKind(name.to_owned())),
                None => {}
            }
            let counter = Arc::new(Counter::default());
            names
                .metrics
                .insert(name.to_owned(), Metric::Counter(Arc::clone(&counter)));
            names.version += 1;
            Ok(counter)
        }

        /// RIGHT: looks again under the write lock.
        pub fn gauge(&self, name: &str) -> Result<Arc<Gauge>, MetricError> {
            if let Some(Metric::Gauge(gauge)) = self.lookup(name) {
                return Ok(gauge);
            }
            let mut names = self.names.write().unwrap();
            match names.metrics.get(name) {
                Some(Metric::Gauge(gauge)) => Ok(Arc::clone(gauge)),
                Some(_) => Err(MetricError::WrongKind(name.to_owned())),
                None => {
                    let gauge = Arc::new(Gauge::default());
                    names
                        .metrics
                        .insert(name.to_owned(), Metric::Gauge(Arc::clone(&gauge)));
                    names.version += 1;
                    Ok(gauge)
                }
            }
        }

        /// RIGHT: refuses what is there, in one section.
        pub fn histogram(&self, name: &str, bounds: Vec<f64>) -> Result<Arc<Histogram>, MetricError> {
            let histogram = Arc::new(Histogram::new(bounds));
            let mut names = self.names.write().unwrap();
            if names.metrics.contains_key(name) {
                return Err(MetricError::Duplicate(name.to_owned()));
            }
            names
                .metrics
                .insert(name.to_owned(), Metric::Histogram(Arc::clone(&histogram)));
            names.version += 1;
            Ok(histogram)
        }

        /// RIGHT: help is for people; who describes last is right.
        pub fn describe(&self, name: &str, help: &str) -> bool {
            let known = self.lookup(name).is_some();
            self.helps.write().unwrap().insert(name.to_owned(), help.to_owned());
            known
        }

        pub fn version(&self) -> u64 {
            self.names.read().unwrap().version
        }

        /// RIGHT: a copy of the handles, each read afterwards.
        pub fn snapshot(&self) -> Vec<(String, Value)> {
            let metrics: Vec<(String, Metric)> = {
                let names = self.names.read().unwrap();
                names.metrics.iter().map(|(name, metric)| (name.clone(), metric.clone())).collect()
            };
            metrics.into_iter().map(|(name, metric)| (name, metric.read())).collect()
        }

        pub fn drain(&self) -> u64 {
            let names = self.names.read().unwrap();
            names
                .metrics
                .values()
                .filter_map(|metric| match metric {
                    Metric::Counter(counter) => Some(counter.take()),
                    _ => None,
                })
                .sum()
        }
    }
}

pub mod report {
    use crate::registry::{Registry, Value};
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    pub struct Reporter {
        stop: Arc<AtomicBool>,
        thread: Option<JoinHandle<()>>,
    }

    impl Reporter {
        pub fn start<W: Write + Send + 'static>(
            registry: Arc<Registry>,
            out: Arc<Mutex<W>>,
            every: Duration,
        ) -> Self {
            let stop = Arc::new(AtomicBool::new(false));
            let stopped = Arc::clone(&stop);
            let thread = thread::spawn(move || {
                let mut last = None;
                while !stopped.load(Ordering::Relaxed) {
                    thread::park_timeout(every);
                    let now = registry.snapshot();
                    if last.as_ref() != Some(&now) {
                        let _ = write_all(&out, &now);
                    }
                    last = Some(now);
                }
            });
            Reporter {
                stop,
                thread: Some(thread),
            }
        }
    }

    fn write_all<W: Write>(out: &Mutex<W>, values: &[(String, Value)]) -> std::io::Result<()> {
        let mut out = out.lock().unwrap();
        for (name, value) in values {
            writeln!(out, "{name} {value:?}")?;
        }
        out.flush()
    }

    impl Drop for Reporter {
        fn drop(&mut self) {
            self.stop.store(true, Ordering::Relaxed);
            if let Some(thread) = self.thread.take() {
                thread.thread().unpark();
                let _ = thread.join();
            }
        }
    }
}

pub use instrument::{Counter, Gauge, Histogram};
pub use registry::{MetricError, Registry};
pub use report::Reporter;
