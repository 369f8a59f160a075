//! Values that meet in one expression, call or decision: what was read in two
//! regions should have been read in one.

use crate::flow::access::Access;
use crate::flow::value::{Origin, Origins, Source};
use crate::flow::walk::Walk;

impl Walk<'_, '_> {
    /// Values meet.
    pub(crate) fn meet(&mut self, origins: &Origins) {
        let mut reads: Vec<u32> = Vec::new();
        for origin in origins.iter().filter(|origin| !origin.decides) {
            if let Source::Access(number) = origin.source
                && self.accesses[number as usize].region.is_some()
            {
                reads.push(number);
            }
        }
        if reads.len() > 12 {
            return;
        }
        for (at, first) in reads.iter().enumerate() {
            for second in &reads[at + 1..] {
                let regions = |number: &u32| self.accesses[*number as usize].region;
                if regions(first) != regions(second) {
                    self.meets.insert((*first, *second));
                }
            }
        }
    }

    /// Values are computed with: what was read in one region and comes together
    /// like that belongs together.
    pub(crate) fn combine(&mut self, origins: &Origins) {
        let reads: Vec<&Access> = origins
            .iter()
            .filter_map(|origin| match origin.source {
                Source::Access(number) if !origin.decides => Some(&self.accesses[number as usize]),
                _ => None,
            })
            .collect();
        for first in &reads {
            for second in &reads {
                let one_region = first.region.is_some() && first.region == second.region;
                if one_region && first.path != second.path {
                    self.combined.insert((first.path, second.path));
                }
            }
        }
    }

    pub(crate) fn meet_deciding(&mut self, value: &Origins, decided: &Origins) {
        let reads = |origins: &Origins| -> Vec<u32> {
            let access = |origin: &Origin| match origin.source {
                Source::Access(number) => Some(number),
                Source::Parameter(_) => None,
            };
            origins.iter().filter_map(access).collect()
        };
        for first in reads(value) {
            for second in reads(decided) {
                let regions = |number: u32| self.accesses[number as usize].region;
                if self.decides.len() < 200 && regions(first) != regions(second) {
                    self.decides.insert((first, second));
                }
            }
        }
    }
}
