//! Columns of small numbers, each as wide as the largest of them needs.

/// How many bytes each number of a column needs, for every column: 0 if all are
/// zero.
pub(super) fn widths<const N: usize>(rows: &[[u32; N]]) -> [usize; N] {
    let mut all = [0; N];
    for row in rows {
        for (all, number) in all.iter_mut().zip(row) {
            *all |= number;
        }
    }
    all.map(|all: u32| (32 - all.leading_zeros()).div_ceil(8) as usize)
}

/// Appends the column. One loop for each width, as in [`Column::read`].
pub(super) fn write(out: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u32>, width: usize) {
    match width {
        1 => out.extend(numbers.map(|n| n as u8)),
        2 => write_wide::<2>(out, numbers),
        3 => write_wide::<3>(out, numbers),
        4 => write_wide::<4>(out, numbers),
        _ => {}
    }
}

fn write_wide<const N: usize>(out: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u32>) {
    let start = out.len();
    out.resize(start + numbers.len() * N, 0);
    let places = out[start..].as_chunks_mut::<N>().0;
    for (place, number) in places.iter_mut().zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes()[..N]);
    }
}

/// The rest of a column in a payload.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Column {
    at: usize,
    width: usize,
}

impl Column {
    /// The column of `width` (at most 4) that starts at `at`.
    pub(super) fn new(at: usize, width: usize) -> Column {
        Column { at, width }
    }

    /// Replaces `numbers` by the next `count` numbers, which are not yet passed.
    /// One loop for each width, so that none has to ask how wide a number is.
    pub(super) fn read(&self, payload: &[u8], count: usize, numbers: &mut Vec<u32>) {
        numbers.clear();
        let end = self.at + count * self.width;
        let bytes = payload.get(self.at..end).unwrap_or(&[]);
        match self.width {
            1 => numbers.extend(bytes.iter().map(|&b| u32::from(b))),
            2 => numbers.extend(chunks::<2>(bytes).map(|b| u32::from(u16::from_le_bytes(b)))),
            3 => numbers.extend(
                chunks::<3>(bytes)
                    .map(|[a, b, c]| u32::from(a) | u32::from(b) << 8 | u32::from(c) << 16),
            ),
            4 => numbers.extend(chunks::<4>(bytes).map(u32::from_le_bytes)),
            _ => {}
        }
        numbers.resize(count, 0);
    }

    /// Moves on by `count` numbers.
    pub(super) fn pass(&mut self, count: usize) {
        self.at += count * self.width;
    }
}

fn chunks<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back_at_every_width() {
        for (numbers, expected) in [
            (vec![0, 0], 0),
            (vec![0, 255], 1),
            (vec![256, 1], 2),
            (vec![65535, 1], 2),
            (vec![65536, 0], 3),
            (vec![1 << 24, u32::MAX], 4),
        ] {
            let rows: Vec<[u32; 2]> = numbers.iter().map(|&n| [0, n]).collect();
            let [zero, width] = widths(&rows);
            assert_eq!((zero, width), (0, expected));
            let mut payload = vec![7];
            write(&mut payload, numbers.iter().copied(), width);
            payload.push(0xff);
            let mut column = Column::new(1, width);
            let mut read = Vec::new();
            column.read(&payload, 2, &mut read);
            assert_eq!(read, numbers);
            column.pass(1);
            column.read(&payload, 1, &mut read);
            assert_eq!(read, numbers[1..]);
        }
    }
}
