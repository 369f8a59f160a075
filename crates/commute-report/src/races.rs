//! How often races were found, object by object: RD2's "total (distinct)".

use serde::{Deserialize, Serialize};

use crate::untrusted::clip;

/// Of so many objects a line of JSON says how often.
const MOST_IN_JSON: usize = 100;
/// Of so many objects the last line says how often.
const MOST_IN_TEXT: usize = 3;

/// How often races were found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RaceTotals {
    /// How many pairs of events race, of those that were compared.
    pub total: u64,
    /// How many pairs of sites on one object or variable.
    pub distinct: u64,
    /// How many pairs of events race that no finding stands for, because there were too
    /// many sites.
    #[serde(skip_serializing_if = "is_zero")]
    pub unlisted: u64,
    /// The objects and variables, those with the most races first.
    pub objects: Vec<ObjectRaces>,
    /// How many objects and variables more there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_objects: u64,
}

/// How often races on one object or variable were found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ObjectRaces {
    /// Its name.
    pub object: String,
    /// `CM101` or `CM102`.
    pub code: String,
    /// How many pairs of events race.
    pub total: u64,
    /// How many pairs of sites these have.
    pub distinct: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl RaceTotals {
    /// The totals of all races on these objects.
    pub fn new(mut objects: Vec<ObjectRaces>, unlisted: u64) -> RaceTotals {
        // Those that were found first stay first.
        objects.sort_by_key(|object| std::cmp::Reverse(object.total));
        let more = objects.len().saturating_sub(MOST_IN_JSON);
        let sum = |count: fn(&ObjectRaces) -> u64| objects.iter().map(count).sum();
        let (total, distinct) = (sum(|object| object.total), sum(|object| object.distinct));
        objects.truncate(MOST_IN_JSON);
        RaceTotals {
            total,
            distinct,
            unlisted,
            objects,
            more_objects: more as u64,
        }
    }

    /// Adds the races of another trace. Objects of the same name count as one.
    pub fn add(&mut self, other: &RaceTotals) {
        let mut objects = std::mem::take(&mut self.objects);
        for new in &other.objects {
            let same =
                |old: &&mut ObjectRaces| (&old.object, &old.code) == (&new.object, &new.code);
            match objects.iter_mut().find(same) {
                Some(old) => {
                    old.total += new.total;
                    old.distinct += new.distinct;
                }
                None => objects.push(new.clone()),
            }
        }
        let all = RaceTotals::new(objects, self.unlisted + other.unlisted);
        self.more_objects += other.more_objects + all.more_objects;
        self.total += other.total;
        self.distinct += other.distinct;
        self.unlisted = all.unlisted;
        self.objects = all.objects;
    }

    /// What the last line says, if the number of findings does not say it all.
    pub(crate) fn details(&self) -> String {
        let mut out = String::new();
        if self.total > self.distinct {
            let shown = self.objects.iter().take(MOST_IN_TEXT);
            let shown = shown.map(|object| {
                let name = clip(&object.object, 40);
                format!("{name} {} ({} distinct)", object.total, object.distinct)
            });
            let mut shown: Vec<String> = shown.collect();
            let hidden = self.objects.len().saturating_sub(MOST_IN_TEXT) as u64;
            if hidden + self.more_objects > 0 {
                shown.push(format!("{} more", hidden + self.more_objects));
            }
            out += &format!(", {} races: {}", self.total, shown.join(", "));
        }
        if self.unlisted > 0 {
            let s = if self.unlisted == 1 { "" } else { "s" };
            out += &format!(", {} race{s} at more sites not listed", self.unlisted);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn races(object: &str, total: u64, distinct: u64) -> ObjectRaces {
        ObjectRaces {
            object: object.to_owned(),
            code: "CM101".to_owned(),
            total,
            distinct,
        }
    }

    #[test]
    fn objects_with_the_most_races_come_first() {
        let mut totals = RaceTotals::new(vec![races("x", 3, 1), races("o", 15, 2)], 0);
        assert_eq!(
            totals.details(),
            ", 18 races: o 15 (2 distinct), x 3 (1 distinct)"
        );
        let alone = RaceTotals::new(vec![races("x", 1, 1), races("o", 2, 2)], 0);
        assert_eq!(alone.details(), "");
        totals.add(&RaceTotals::new(
            vec![races("x", 20, 2), races("y", 1, 1), races("z", 1, 1)],
            7,
        ));
        assert_eq!(
            totals.details(),
            ", 40 races: x 23 (3 distinct), o 15 (2 distinct), y 1 (1 distinct), \
             1 more, 7 races at more sites not listed"
        );
    }

    #[test]
    fn many_objects_are_counted() {
        let many = (0..250).map(|n| races(&format!("o{n}"), 2, 1));
        let totals = RaceTotals::new(many.collect(), 0);
        assert_eq!((totals.total, totals.distinct), (500, 250));
        assert_eq!((totals.objects.len(), totals.more_objects), (100, 150));
    }
}
