//! A client of a market counts who listens to which asset. The last one that
//! leaves lowers the count, gives the entry back and removes it: a listener
//! that came in between is removed with it and hears nothing. The entry is now
//! kept locked over both.
//@ finding: Subscriptions::unsubscribe
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;

#[derive(Default)]
pub struct Subscriptions {
    interest: DashMap<String, usize>,
}

impl Subscriptions {
    pub fn subscribe(&self, asset: &str) -> bool {
        let mut count = self.interest.entry(asset.to_owned()).or_insert(0);
        *count += 1;
        *count == 1
    }

    #[cfg(not(fixed))]
    pub fn unsubscribe(&self, assets: &[String]) -> Vec<String> {
        let mut gone = Vec::new();
        for asset in assets {
            let mut last = false;
            if let Some(mut count) = self.interest.get_mut(asset) {
                *count = count.saturating_sub(1);
                last = *count == 0;
            }
            if last {
                self.interest.remove(asset);
                gone.push(asset.clone());
            }
        }
        gone
    }

    #[cfg(fixed)]
    pub fn unsubscribe(&self, assets: &[String]) -> Vec<String> {
        let mut gone = Vec::new();
        for asset in assets {
            if let Entry::Occupied(mut entry) = self.interest.entry(asset.clone()) {
                let count = entry.get_mut();
                *count = count.saturating_sub(1);
                if *count == 0 {
                    entry.remove();
                    gone.push(asset.clone());
                }
            }
        }
        gone
    }
}
