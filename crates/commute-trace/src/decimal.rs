//! Decimal digits without the cost of `Display`.

use commute_model::Name;

/// The decimal digits of a number.
pub(crate) struct Digits {
    digits: [u8; 10],
    start: usize,
}

impl Digits {
    #[inline]
    pub(crate) fn new(mut number: u32) -> Digits {
        let mut digits = [0; 10];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                return Digits { digits, start };
            }
        }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.digits[self.start..]
    }
}

/// Appends a name.
#[inline]
pub(crate) fn push_name(buffer: &mut Vec<u8>, name: Name<'_>) {
    let (stem, number) = name.parts();
    buffer.extend_from_slice(stem.as_bytes());
    if let Some(number) = number {
        buffer.extend_from_slice(Digits::new(number).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_display() {
        for number in [0, 7, 10, 99, 100, 12_345, 999_999_999, u32::MAX] {
            assert_eq!(
                Digits::new(number).as_bytes(),
                number.to_string().as_bytes()
            );
        }
    }
}
