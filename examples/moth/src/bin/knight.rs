//! In how few moves does a knight get to its prey? Between `get_solution` and
//! `set_solution` another solver may find a shorter way, which is then lost.

use std::sync::{Arc, Mutex};
use std::thread;

const SIZE: i32 = 8;
const MOST_MOVES: i32 = 2;
const MOVES: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

#[derive(Clone, Copy, PartialEq)]
struct Position {
    x: i32,
    y: i32,
}

impl Position {
    fn after(self, (dx, dy): (i32, i32)) -> Option<Position> {
        let (x, y) = (self.x + dx, self.y + dy);
        ((0..SIZE).contains(&x) && (0..SIZE).contains(&y)).then_some(Position { x, y })
    }
}

struct Board {
    solution: [[i32; SIZE as usize]; SIZE as usize],
}

struct KnightMoves {
    board: Mutex<Board>,
    knight: Position,
    prey: Position,
}

impl KnightMoves {
    fn new() -> KnightMoves {
        KnightMoves {
            board: Mutex::new(Board {
                solution: [[i32::MAX; SIZE as usize]; SIZE as usize],
            }),
            knight: Position { x: 0, y: 0 },
            prey: Position { x: 2, y: 4 },
        }
    }

    fn get_solution(&self, p: Position) -> i32 {
        self.board.lock().unwrap().solution[p.x as usize][p.y as usize]
    }

    fn set_solution(&self, p: Position, moves: i32) {
        self.board.lock().unwrap().solution[p.x as usize][p.y as usize] = moves;
    }
}

/// A solver starts others, each one move on. -1 if it found nothing.
fn run(shared: &Arc<KnightMoves>, me: Position, moves: i32) -> i32 {
    if shared.get_solution(me) <= moves {
        return -1;
    }
    thread::yield_now();
    // Here another solver may have been quicker.
    shared.set_solution(me, moves);
    if me == shared.prey || moves == MOST_MOVES {
        return moves;
    }
    let mut solvers = Vec::new();
    for step in MOVES {
        if let Some(next) = me.after(step) {
            let shared = Arc::clone(shared);
            solvers.push(thread::spawn(move || run(&shared, next, moves + 1)));
        }
    }
    for solver in solvers {
        solver.join().unwrap();
    }
    moves
}

/// The same without threads.
fn run_correct(moves_of: &KnightMoves, me: Position, moves: i32) {
    if moves_of.get_solution(me) <= moves {
        return;
    }
    moves_of.set_solution(me, moves);
    if me == moves_of.prey || moves == MOST_MOVES {
        return;
    }
    for step in MOVES {
        if let Some(next) = me.after(step) {
            run_correct(moves_of, next, moves + 1);
        }
    }
}

fn main() {
    let shared = Arc::new(KnightMoves::new());
    let solver = Arc::clone(&shared);
    let solver = thread::spawn(move || run(&solver, solver.knight, 0));
    solver.join().unwrap();
    println!("{} moves", shared.get_solution(shared.prey));

    let alone = KnightMoves::new();
    run_correct(&alone, alone.knight, 0);
    println!("{} moves", alone.get_solution(alone.prey));
}
