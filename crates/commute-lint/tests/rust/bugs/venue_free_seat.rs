//! A free seat is looked up in one lock and taken in another.
//@ finding: Venue::reserve
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Clone, Default)]
pub struct Seat {
    row: u32,
    holder: Option<String>,
}

pub struct Venue {
    name: String,
    seats: Mutex<Vec<Seat>>,
    prices: HashMap<u32, u64>,
}

impl Venue {
    pub fn new(name: &str, rows: u32) -> Venue {
        let seats = (0..rows).map(|row| Seat { row, holder: None }).collect();
        Venue {
            name: name.to_owned(),
            seats: Mutex::new(seats),
            prices: HashMap::new(),
        }
    }
    pub fn name(&self) -> &str {
        &self.name
    }
    #[cfg(not(fixed))]
    fn first_free(&self) -> Option<usize> {
        let seats = self.seats.lock().unwrap();
        seats.iter().position(|seat| seat.holder.is_none())
    }
    fn price(&self, row: u32) -> u64 {
        self.prices.get(&row).copied().unwrap_or(10)
    }
    #[cfg(not(fixed))]
    pub fn reserve(&self, who: &str) -> Option<u64> {
        let index = self.first_free()?;
        let mut seats = self.seats.lock().unwrap();
        let seat = &mut seats[index];
        seat.holder = Some(who.to_owned());
        let row = seat.row;
        drop(seats);
        Some(self.price(row))
    }
    #[cfg(fixed)]
    pub fn reserve(&self, who: &str) -> Option<u64> {
        let mut seats = self.seats.lock().unwrap();
        let index = seats.iter().position(|seat| seat.holder.is_none())?;
        let seat = &mut seats[index];
        seat.holder = Some(who.to_owned());
        let row = seat.row;
        drop(seats);
        Some(self.price(row))
    }
    pub fn cancel(&self, who: &str) -> usize {
        let mut seats = self.seats.lock().unwrap();
        let mut freed = 0;
        for seat in seats.iter_mut() {
            if seat.holder.as_deref() == Some(who) {
                seat.holder = None;
                freed += 1;
            }
        }
        freed
    }
}
