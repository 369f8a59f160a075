//! In which environments nothing goes wrong.

/// The largest sets of `all` that contain none of the violating sets: if nobody does
/// what is left out, nothing was seen to go wrong. Sets are of bits.
///
/// Cost: two to the power of how many there are, so at most 20 are looked at.
pub fn largest(all: u32, violating: &[u32]) -> Vec<u32> {
    let count = all.count_ones();
    if count > MOST {
        return Vec::new();
    }
    let is_safe = |set: u32| violating.iter().all(|bad| bad & !set != 0);
    let mut best: Vec<u32> = Vec::new();
    // All subsets, the larger number first.
    let mut set = all;
    loop {
        if is_safe(set) {
            let size = set.count_ones();
            let known = best.first().map_or(0, |best| best.count_ones());
            if best.is_empty() || size > known {
                best = vec![set];
            } else if size == known {
                best.push(set);
            }
        }
        if set == 0 {
            break;
        }
        set = (set - 1) & all;
    }
    best
}

const MOST: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_in_every_violation() {
        // Bits: insert, overwrite, remove. Removals are enough, or an insertion and an
        // overwriting.
        assert_eq!(largest(0b111, &[0b100, 0b011]), [0b010, 0b001]);
        assert_eq!(largest(0b111, &[]), [0b111]);
        assert_eq!(largest(0b111, &[0]), [0_u32; 0]);
    }
}
