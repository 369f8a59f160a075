//! leader election.
//@ finding: Cluster::elect
use std::sync::{Arc, Mutex};
#[derive(Clone, PartialEq)]
pub enum Role {
    Follower { leader: Option<u64> },
    Leader { term: u64 },
}
pub struct Cluster {
    role: Arc<Mutex<Role>>,
    id: u64,
}
fn votes(term: u64) -> usize {
    term as usize % 5
}
impl Cluster {
    #[cfg(not(fixed))]
    pub fn elect(&self, term: u64) -> bool {
        let role = self.role.lock().unwrap().clone();
        match role {
            Role::Leader { .. } => true,
            Role::Follower {
                leader: Some(leader),
            } if leader != self.id => false,
            Role::Follower { .. } => {
                if votes(term) < 3 {
                    return false;
                }
                *self.role.lock().unwrap() = Role::Leader { term };
                true
            }
        }
    }
    #[cfg(fixed)]
    pub fn elect(&self, term: u64) -> bool {
        let won = votes(term) >= 3;
        let mut role = self.role.lock().unwrap();
        match &*role {
            Role::Leader { .. } => true,
            Role::Follower {
                leader: Some(leader),
            } if *leader != self.id => false,
            Role::Follower { .. } => {
                if won {
                    *role = Role::Leader { term };
                }
                won
            }
        }
    }
    pub fn follow(&self, leader: u64) {
        *self.role.lock().unwrap() = Role::Follower {
            leader: Some(leader),
        };
    }
}
