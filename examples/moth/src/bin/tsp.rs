//! The shortest round trip, by branch and bound. `set_best` looks at the shortest
//! length without the lock, and `set_best2` looks again under it. Correct; an analysis
//! of dependences reports what `get_tour` returns, which goes into `get_tour` again and
//! decides about `set_best2`.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

const CITIES: usize = 6;
const TOURS: usize = 50;
const WORKERS: usize = 2;
/// Tours with so many cities left are solved, others are split.
const SOLVABLE: usize = 4;

#[derive(Clone, Copy, Default)]
struct Tour {
    prefix: [usize; CITIES],
    cities: usize,
    length: u32,
    lower_bound: u32,
}

impl Tour {
    fn visits(&self, city: usize) -> bool {
        self.prefix[..self.cities].contains(&city)
    }
}

struct Search {
    tours: [Tour; TOURS],
    /// Which tours wait, the best last.
    prio_q: Vec<usize>,
    /// Which tours are free.
    tour_stack: Vec<usize>,
    done: bool,
    min_tour: [usize; CITIES],
}

impl Search {
    /// The tour with the least bound, split until it can be solved.
    fn find_solvable_tour(&mut self, weights: &Weights) -> Option<usize> {
        while let Some(top) = self.prio_q.pop() {
            if CITIES - self.tours[top].cities <= SOLVABLE {
                return Some(top);
            }
            self.split_tour(top, weights);
        }
        self.done = true;
        None
    }

    fn split_tour(&mut self, tour: usize, weights: &Weights) {
        for city in 0..CITIES {
            if !self.tours[tour].visits(city) {
                self.new_tour(tour, city, weights);
            }
        }
        self.tour_stack.push(tour);
    }

    fn new_tour(&mut self, from: usize, city: usize, weights: &Weights) {
        let Some(index) = self.tour_stack.pop() else {
            return;
        };
        let mut tour = self.tours[from];
        tour.length += weights[tour.prefix[tour.cities - 1]][city];
        tour.prefix[tour.cities] = city;
        tour.cities += 1;
        tour.lower_bound = calc_bound(&tour, weights);
        let mut place = 0;
        while place < self.prio_q.len()
            && self.tours[self.prio_q[place]].lower_bound > tour.lower_bound
        {
            place += 1;
        }
        self.prio_q.insert(place, index);
        self.tours[index] = tour;
    }
}

type Weights = [[u32; CITIES]; CITIES];

/// From every city that is left a way of at least the least weight leads on.
fn calc_bound(tour: &Tour, weights: &Weights) -> u32 {
    let mut bound = tour.length;
    for (city, ways) in weights.iter().enumerate() {
        if !tour.visits(city) {
            bound += ways.iter().filter(|way| **way > 0).min().unwrap_or(&0);
        }
    }
    bound
}

struct TspSolver {
    weights: Weights,
    min_tour_len: AtomicU32,
    search: Mutex<Search>,
}

impl TspSolver {
    /// Gives the last tour back, takes the next.
    fn get_tour(&self, curr: Option<usize>) -> Option<(usize, Tour)> {
        let mut search = self.search.lock().unwrap();
        if let Some(curr) = curr {
            search.tour_stack.push(curr);
        }
        if search.done {
            return None;
        }
        let index = search.find_solvable_tour(&self.weights)?;
        Some((index, search.tours[index]))
    }

    fn set_best(&self, best: u32, path: &[usize; CITIES]) {
        if best >= self.min_tour_len.load(Ordering::Acquire) {
            return;
        }
        self.set_best2(best, path);
    }

    fn set_best2(&self, best: u32, path: &[usize; CITIES]) {
        let mut search = self.search.lock().unwrap();
        if best < self.min_tour_len.load(Ordering::Acquire) {
            self.min_tour_len.store(best, Ordering::Release);
            search.min_tour = *path;
        }
    }

    fn recursive_solve(&self, tour: &Tour) {
        let mut path = tour.prefix;
        self.visit_nodes(&mut path, tour.cities, tour.length);
    }

    fn visit_nodes(&self, path: &mut [usize; CITIES], cities: usize, length: u32) {
        let last = path[cities - 1];
        if cities == CITIES {
            self.set_best(length + self.weights[last][path[0]], path);
            return;
        }
        for city in 0..CITIES {
            if !path[..cities].contains(&city) {
                path[cities] = city;
                self.visit_nodes(path, cities + 1, length + self.weights[last][city]);
            }
        }
    }

    fn run(&self) {
        let mut curr = None;
        while let Some((index, tour)) = self.get_tour(curr) {
            self.recursive_solve(&tour);
            curr = Some(index);
        }
    }
}

fn main() {
    let mut weights = [[0; CITIES]; CITIES];
    for (from, ways) in weights.iter_mut().enumerate() {
        for (to, way) in ways.iter_mut().enumerate() {
            let (less, more) = (from.min(to) as u32, from.max(to) as u32);
            *way = if from == to {
                0
            } else {
                3 + (7 * less + 5 * more) % 11
            };
        }
    }
    let mut tours = [Tour::default(); TOURS];
    // The first goes nowhere but to city 0.
    tours[0].cities = 1;
    let search = Mutex::new(Search {
        tours,
        prio_q: vec![0],
        tour_stack: (1..TOURS).collect(),
        done: false,
        min_tour: [0; CITIES],
    });
    let solver = Arc::new(TspSolver {
        weights,
        min_tour_len: AtomicU32::new(u32::MAX),
        search,
    });
    let mut workers = Vec::new();
    for _ in 0..WORKERS {
        let solver = Arc::clone(&solver);
        workers.push(thread::spawn(move || solver.run()));
    }
    for worker in workers {
        worker.join().unwrap();
    }
    println!("{:?}", solver.search.lock().unwrap().min_tour);
}
