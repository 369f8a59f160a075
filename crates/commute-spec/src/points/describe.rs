//! What methods touch, as text.

use super::AccessPoints;
use crate::formula::Formula;
use crate::specification::Specification;
use crate::variables::Variables;

impl AccessPoints {
    /// What the invocations of a method touch, in one line:
    /// `put(k, v)/p touches r:k if v == p; w:k if v != p`.
    ///
    /// # Panics
    /// If these are not the access points of `spec`.
    pub fn describe(&self, spec: &Specification, method: usize) -> String {
        let declared = &spec.methods[method];
        let variables = Variables::of_method(declared);
        let slots: Vec<&str> = declared.slots().collect();
        let parts = self.touches(method).iter().map(|touch| {
            let mut part = self.classes()[usize::from(touch.class)].name.clone();
            let key = part.split_once(':').map(|(_, key)| key.to_string());
            if let (Some(slot), Some(key)) = (touch.slot, key) {
                let slot = slots[slot];
                if touch.elements {
                    part += &format!(" for each element of {slot}");
                } else if slot != key {
                    part += &format!(" with {key} = {slot}");
                }
            }
            match &touch.when {
                Some(Formula::Const(true)) => part,
                Some(formula) => format!("{part} if {}", formula.text(&variables)),
                None => format!("{part} under a long condition"),
            }
        });
        let parts: Vec<String> = parts.collect();
        let pattern = declared.pattern(|slot| slots[slot]);
        match parts.is_empty() {
            true => format!("{pattern} touches nothing"),
            false => format!("{pattern} touches {}", parts.join("; ")),
        }
    }
}
