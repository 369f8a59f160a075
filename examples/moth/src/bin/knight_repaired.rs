//! `knight` repaired: a solver holds the lock for all its work, so it makes all moves
//! itself instead of starting others.

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

impl Board {
    fn get_solution(&self, p: Position) -> i32 {
        self.solution[p.x as usize][p.y as usize]
    }

    fn set_solution(&mut self, p: Position, moves: i32) {
        self.solution[p.x as usize][p.y as usize] = moves;
    }
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

    fn run(&self) -> i32 {
        let mut board = self.board.lock().unwrap();
        self.solve(&mut board, self.knight, 0);
        board.get_solution(self.prey)
    }

    fn solve(&self, board: &mut Board, me: Position, moves: i32) {
        if board.get_solution(me) <= moves {
            return;
        }
        board.set_solution(me, moves);
        if me == self.prey || moves == MOST_MOVES {
            return;
        }
        for step in MOVES {
            if let Some(next) = me.after(step) {
                self.solve(board, next, moves + 1);
            }
        }
    }
}

fn main() {
    let shared = Arc::new(KnightMoves::new());
    let mut solvers = Vec::new();
    for _ in 0..2 {
        let shared = Arc::clone(&shared);
        solvers.push(thread::spawn(move || shared.run()));
    }
    for solver in solvers {
        println!("{} moves", solver.join().unwrap());
    }
}
