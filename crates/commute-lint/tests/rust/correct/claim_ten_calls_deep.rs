//! The claim is made in a function that is called through many others: more
//! than are told apart.

use std::sync::Mutex;

pub struct Desk {
    state: Mutex<State>,
}

struct State {
    owner: u32,
    visits: u32,
}

impl Desk {
    pub fn visit(&self, who: u32, kind: u32) {
        let free = {
            let mut state = self.state.lock().unwrap();
            let free = state.owner == 0;
            one(&mut state, who, kind);
            free
        };
        if free {
            self.state.lock().unwrap().visits += 1;
        }
    }
}

fn one(state: &mut State, who: u32, kind: u32) {
    two(state, who, kind);
}

fn two(state: &mut State, who: u32, kind: u32) {
    three(state, who, kind);
}

fn three(state: &mut State, who: u32, kind: u32) {
    four(state, who, kind);
}

fn four(state: &mut State, who: u32, kind: u32) {
    five(state, who, kind);
}

fn five(state: &mut State, who: u32, kind: u32) {
    six(state, who, kind);
}

fn six(state: &mut State, who: u32, kind: u32) {
    seven(state, who, kind);
}

fn seven(state: &mut State, who: u32, kind: u32) {
    eight(state, who, kind);
}

fn eight(state: &mut State, who: u32, kind: u32) {
    nine(state, who, kind);
}

fn nine(state: &mut State, who: u32, kind: u32) {
    ten(state, who, kind);
}

fn ten(state: &mut State, who: u32, kind: u32) {
    if kind > 2 {
        state.visits = 0;
    }
    match kind {
        0 => state.owner = who,
        1 => state.owner = state.owner.max(who),
        2 => state.owner = state.visits + who,
        _ => state.owner = 7,
    }
}
