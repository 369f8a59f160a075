//! A scheduler of a distributed compiler cache (in the shape of sccache's): the
//! server with the least load is chosen under the lock, a request is sent, and
//! then the job is added to the server, which may have been dropped or filled.
//! The job is added when the server is chosen, and taken back on an error.
//@ finding: Scheduler::handle_alloc_job
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub usize);

pub struct ServerDetails {
    jobs_assigned: HashSet<JobId>,
    last_seen: Instant,
    num_cpus: usize,
}

impl ServerDetails {
    fn load(&self) -> f64 {
        self.jobs_assigned.len() as f64 / self.num_cpus as f64
    }
}

#[derive(Default)]
pub struct Scheduler {
    job_count: AtomicUsize,
    jobs: Mutex<BTreeMap<JobId, ServerId>>,
    servers: Mutex<HashMap<ServerId, ServerDetails>>,
}

pub trait SchedulerOutgoing {
    fn do_assign_job(&self, server: ServerId, job: JobId) -> Result<bool, String>;
}

impl Scheduler {
    fn best_server(servers: &HashMap<ServerId, ServerDetails>) -> Option<ServerId> {
        let mut best: Option<(ServerId, f64)> = None;
        for (id, details) in servers {
            let load = details.load();
            if load < 4.0 && best.is_none_or(|(_, least)| load < least) {
                best = Some((*id, load));
            }
        }
        best.map(|(id, _)| id)
    }

    pub fn handle_alloc_job(&self, requester: &dyn SchedulerOutgoing) -> Result<JobId, String> {
        let job = JobId(self.job_count.fetch_add(1, Ordering::SeqCst));
        #[cfg(not(fixed))]
        let server = {
            let servers = self.servers.lock().unwrap();
            Self::best_server(&servers).ok_or("insufficient capacity")?
        };
        #[cfg(fixed)]
        let server = {
            let mut servers = self.servers.lock().unwrap();
            let server = Self::best_server(&servers).ok_or("insufficient capacity")?;
            let details = servers.get_mut(&server).expect("it was chosen");
            details.jobs_assigned.insert(job);
            server
        };
        let assigned = requester.do_assign_job(server, job);
        #[cfg(not(fixed))]
        if matches!(assigned, Ok(true)) {
            let mut servers = self.servers.lock().unwrap();
            let details = servers.get_mut(&server).expect("it was chosen");
            details.jobs_assigned.insert(job);
        }
        #[cfg(fixed)]
        if !matches!(assigned, Ok(true)) {
            let mut servers = self.servers.lock().unwrap();
            if let Some(details) = servers.get_mut(&server) {
                details.jobs_assigned.remove(&job);
            }
        }
        assigned?;
        self.jobs.lock().unwrap().insert(job, server);
        Ok(job)
    }

    pub fn handle_heartbeat(&self, id: ServerId, num_cpus: usize) {
        let mut servers = self.servers.lock().unwrap();
        servers.retain(|_, details| details.last_seen.elapsed().as_secs() < 90);
        let now = Instant::now();
        let details = servers.entry(id).or_insert_with(|| ServerDetails {
            jobs_assigned: HashSet::new(),
            last_seen: now,
            num_cpus,
        });
        details.last_seen = now;
    }
}
