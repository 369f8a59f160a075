//! Place holders for `--> file:line:column`.
//!
//! The renderer computes line and column from the excerpt it is given. Ours
//! are cut and cleaned, and a trace may know no column, so it would compute
//! wrong ones. It is given a private character instead of a path, and when it
//! is done the character and what follows on its line are replaced by the
//! place as we know it. [`crate::visible`] keeps the character out of
//! everything else.

const FIRST: u32 = 0xe000;
const LAST: u32 = 0xf8ff;

/// The places of one report.
#[derive(Default)]
pub(crate) struct Origins {
    places: Vec<String>,
}

impl Origins {
    /// A place holder that [`fill`](Origins::fill) turns into `place`, which is
    /// safe to show.
    pub(crate) fn add(&mut self, place: String) -> String {
        let index = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        self.places.push(place);
        let holder = FIRST.saturating_add(index).min(LAST);
        char::from_u32(holder).map_or_else(String::new, String::from)
    }

    /// `text` with every place holder replaced.
    pub(crate) fn fill(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 64);
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                out.push('\n');
            }
            match line.char_indices().find_map(|(at, c)| {
                let index = (c as u32).checked_sub(FIRST)? as usize;
                Some((at, self.places.get(index)?))
            }) {
                Some((at, place)) => {
                    out.push_str(&line[..at]);
                    out.push_str(place);
                }
                None => out.push_str(line),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_holder_takes_the_rest_of_its_line_with_it() {
        let mut origins = Origins::default();
        let a = origins.add("a.rs:7".into());
        let b = origins.add("b.rs:9:2".into());
        let text = format!(" --> {a}:1:1\n  | x\n ::: {b}:1\n");
        assert_eq!(origins.fill(&text), " --> a.rs:7\n  | x\n ::: b.rs:9:2\n");
    }
}
