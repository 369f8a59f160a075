//! Lifts look for people, lowest floor first. Every look and every claim is a step of
//! its own: when a lift claims a floor, people may wait on a lower one, or another
//! lift may have been there. So it is with every two of `check_up`, `claim_up2`,
//! `check_down` and `claim_down2`, in any order, through the floor the scan is at.

use std::mem;
use std::sync::{Arc, Mutex};
use std::thread;

const FLOORS: usize = 5;
const LIFTS: usize = 2;
const STEPS: usize = 10;

#[derive(Default)]
struct Floor {
    up_people: Vec<usize>,
    down_people: Vec<usize>,
    up_flag: bool,
    down_flag: bool,
}

#[derive(Default)]
struct Building {
    floors: [Floor; FLOORS],
}

impl Building {
    /// Not atomic: people come before the lifts run.
    fn push_up(&mut self, floor: usize, to: usize) {
        self.floors[floor].up_people.push(to);
    }

    fn push_down(&mut self, floor: usize, to: usize) {
        self.floors[floor].down_people.push(to);
    }
}

struct Controls {
    building: Mutex<Building>,
}

impl Controls {
    fn check_up(&self, floor: usize) -> bool {
        let building = self.building.lock().unwrap();
        let floor = &building.floors[floor];
        !floor.up_people.is_empty() && !floor.up_flag
    }

    fn check_down(&self, floor: usize) -> bool {
        let building = self.building.lock().unwrap();
        let floor = &building.floors[floor];
        !floor.down_people.is_empty() && !floor.down_flag
    }

    fn claim_up2(&self, floor: usize) -> bool {
        let mut building = self.building.lock().unwrap();
        let floor = &mut building.floors[floor];
        if floor.up_flag {
            return false;
        }
        floor.up_flag = true;
        true
    }

    fn claim_down2(&self, floor: usize) -> bool {
        let mut building = self.building.lock().unwrap();
        let floor = &mut building.floors[floor];
        if floor.down_flag {
            return false;
        }
        floor.down_flag = true;
        true
    }

    fn get_up_people(&self, floor: usize) -> Vec<usize> {
        let mut building = self.building.lock().unwrap();
        let floor = &mut building.floors[floor];
        floor.up_flag = false;
        mem::take(&mut floor.up_people)
    }

    fn get_down_people(&self, floor: usize) -> Vec<usize> {
        let mut building = self.building.lock().unwrap();
        let floor = &mut building.floors[floor];
        floor.down_flag = false;
        mem::take(&mut floor.down_people)
    }

    fn claim_up(&self, floor: usize) -> bool {
        self.check_up(floor) && self.claim_up2(floor)
    }

    fn claim_down(&self, floor: usize) -> bool {
        self.check_down(floor) && self.claim_down2(floor)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Idle,
    Up,
    Down,
}

struct Lift {
    controls: Arc<Controls>,
    floor: usize,
    target: usize,
    direction: Direction,
    served: usize,
}

impl Lift {
    fn do_idle(&mut self) {
        let mut floor = self.floor;
        let mut found = self.claim(floor);
        if !found {
            floor = 0;
        }
        // What the claims said decides to which floor the scan goes on.
        while !found && floor < FLOORS {
            found = self.claim(floor);
            if !found {
                floor += 1;
            }
        }
        if found {
            self.target = floor;
        }
    }

    fn claim(&mut self, floor: usize) -> bool {
        if self.controls.claim_up(floor) {
            self.direction = Direction::Up;
            return true;
        }
        if self.controls.claim_down(floor) {
            self.direction = Direction::Down;
            return true;
        }
        false
    }

    /// One floor on. Who goes the same way gets in, at the target without a claim:
    /// that was made when it was found.
    fn do_moving(&mut self) {
        if self.floor < self.target {
            self.floor += 1;
        } else if self.floor > self.target {
            self.floor -= 1;
        }
        let arrived = self.floor == self.target;
        if self.direction == Direction::Up {
            if arrived || self.controls.claim_up(self.floor) {
                self.served += self.controls.get_up_people(self.floor).len();
            }
        } else if arrived || self.controls.claim_down(self.floor) {
            self.served += self.controls.get_down_people(self.floor).len();
        }
        if arrived {
            self.direction = Direction::Idle;
        }
    }

    fn run(&mut self) {
        for _ in 0..STEPS {
            if self.direction == Direction::Idle {
                self.do_idle();
            } else {
                self.do_moving();
            }
        }
        println!("{} served", self.served);
    }
}

fn main() {
    let mut building = Building::default();
    building.push_up(1, 3);
    building.push_up(2, 4);
    building.push_down(4, 0);
    let building = Mutex::new(building);
    let controls = Arc::new(Controls { building });
    let mut lifts = Vec::new();
    for floor in 0..LIFTS {
        let mut lift = Lift {
            controls: Arc::clone(&controls),
            floor,
            target: floor,
            direction: Direction::Idle,
            served: 0,
        };
        lifts.push(thread::spawn(move || lift.run()));
    }
    for lift in lifts {
        lift.join().unwrap();
    }
}
