//! A small generator of pseudo-random numbers (SplitMix64, Steele, Lea and
//! Flood 2014): the same seed gives the same trace on every machine, for ever.

/// The generator.
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
}

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0. The bias is below 2⁻³².
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        ((self.next() >> 32).wrapping_mul(u64::from(bound)) >> 32) as u32
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        // 53 bits are what a float holds.
        ((self.next() >> 11) as f64) < probability * (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_published_ones_and_stay_in_range() {
        // First outputs of SplitMix64 for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        let mut seen = [false; 10];
        for _ in 0..1000 {
            seen[random.between(3, 12) as usize - 3] = true;
        }
        assert_eq!(seen, [true; 10]);
        assert!(!random.chance(0.0));
        assert!(random.chance(1.0));
    }
}
