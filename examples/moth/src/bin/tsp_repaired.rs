//! `tsp` with the lock held from the first tour to the last: workers solve one after
//! the other.

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
    min_tour_len: u32,
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

    /// Gives the last tour back, takes the next.
    fn get_tour(&mut self, curr: Option<usize>, weights: &Weights) -> Option<(usize, Tour)> {
        if let Some(curr) = curr {
            self.tour_stack.push(curr);
        }
        if self.done {
            return None;
        }
        let index = self.find_solvable_tour(weights)?;
        Some((index, self.tours[index]))
    }

    fn set_best(&mut self, best: u32, path: &[usize; CITIES]) {
        if best >= self.min_tour_len {
            return;
        }
        self.set_best2(best, path);
    }

    fn set_best2(&mut self, best: u32, path: &[usize; CITIES]) {
        if best < self.min_tour_len {
            self.min_tour_len = best;
            self.min_tour = *path;
        }
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
    search: Mutex<Search>,
}

impl TspSolver {
    fn recursive_solve(&self, search: &mut Search, tour: &Tour) {
        let mut path = tour.prefix;
        self.visit_nodes(search, &mut path, tour.cities, tour.length);
    }

    fn visit_nodes(
        &self,
        search: &mut Search,
        path: &mut [usize; CITIES],
        cities: usize,
        length: u32,
    ) {
        let last = path[cities - 1];
        if cities == CITIES {
            search.set_best(length + self.weights[last][path[0]], path);
            return;
        }
        for city in 0..CITIES {
            if !path[..cities].contains(&city) {
                path[cities] = city;
                let length = length + self.weights[last][city];
                self.visit_nodes(search, path, cities + 1, length);
            }
        }
    }

    fn run(&self) {
        let mut search = self.search.lock().unwrap();
        let mut curr = None;
        while let Some((index, tour)) = search.get_tour(curr, &self.weights) {
            self.recursive_solve(&mut search, &tour);
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
        min_tour_len: u32::MAX,
        min_tour: [0; CITIES],
    });
    let solver = Arc::new(TspSolver { weights, search });
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
