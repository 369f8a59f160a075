//! A set of numbers.

use commute::sync::Mutex;

/// A set: a sorted list in which every element knows the next.
#[derive(Debug, Default)]
pub struct Set {
    first: Mutex<Link>,
}

type Link = Option<Box<Element>>;

#[derive(Debug)]
struct Element {
    value: i64,
    next: Link,
}

/// Where the value is, or has to be.
fn place(mut link: &mut Link, value: i64) -> &mut Link {
    while link.as_ref().is_some_and(|element| element.value < value) {
        link = &mut link.as_mut().expect("it was there just now").next;
    }
    link
}

#[commute::object(spec = "set")]
impl Set {
    /// Adds a value; whether it was there already.
    pub fn add(&self, value: i64) -> bool {
        let mut first = self.first.lock().unwrap();
        let place = place(&mut first, value);
        if place.as_ref().is_some_and(|element| element.value == value) {
            return true;
        }
        let next = place.take();
        *place = Some(Box::new(Element { value, next }));
        false
    }

    /// Whether a value is there.
    pub fn contains(&self, value: i64) -> bool {
        let mut first = self.first.lock().unwrap();
        let place = place(&mut first, value);
        place.as_ref().is_some_and(|element| element.value == value)
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        let first = self.first.lock().unwrap();
        let mut link = &*first;
        let mut size = 0;
        while let Some(element) = link {
            size += 1;
            link = &element.next;
        }
        size
    }
}
