//! Where things are in a list, by the hash of their key.
//!
//! A table in which whoever finds its place taken goes on to the next. Nothing is ever
//! taken out, so what is looked for is before the first free place; and half of the
//! places are free, so that is near.

/// The places of things in a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// As many as a power of two, or none.
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Half of the hash: where it belongs, and most others have another one.
    hash: u32,
    /// `FREE` if there is none.
    place: u32,
}

const FREE: Slot = Slot {
    hash: 0,
    place: u32::MAX,
};

impl Places {
    /// The place for which `is_it` of those with this hash, if there is one.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = hash as u32;
        let mut at = hash as usize;
        loop {
            // None if there are no places at all.
            let slot = self.slots.get(at & self.slots.len().wrapping_sub(1))?;
            if slot.hash == hash && slot.place != FREE.place && is_it(slot.place) {
                return Some(slot.place);
            }
            if slot.place == FREE.place {
                return None;
            }
            at += 1;
        }
    }

    /// Adds a place that was not found.
    pub(crate) fn insert(&mut self, hash: u64, place: u32) {
        assert_ne!(place, FREE.place, "fewer than 2³² - 1 places");
        if 2 * (self.used + 1) > self.slots.len() {
            self.grow();
        }
        let hash = hash as u32;
        self.put(Slot { hash, place });
        self.used += 1;
    }

    fn put(&mut self, slot: Slot) {
        let most = self.slots.len() - 1;
        let mut at = slot.hash as usize & most;
        while self.slots[at].place != FREE.place {
            at = (at + 1) & most;
        }
        self.slots[at] = slot;
    }

    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.slots.len()).max(8);
        let before = std::mem::replace(&mut self.slots, vec![FREE; length]);
        for slot in before {
            if slot.place != FREE.place {
                self.put(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a map would find them, also if hashes are equal, wholly or in part, and at the
    /// end of the table.
    #[test]
    fn places_are_found_whatever_the_hashes() {
        let hashes: [fn(u64) -> u64; 5] = [
            |key| key,
            |key| key << 32,
            |key| key % 7,
            |key| u64::MAX - key % 3,
            |key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        ];
        for hash in hashes {
            let mut places = Places::default();
            for key in 0..300_u32 {
                for other in 0..300 {
                    let found = places.find(hash(other.into()), |place| place == other);
                    assert_eq!(found, (other < key).then_some(other));
                }
                places.insert(hash(key.into()), key);
            }
        }
    }
}
