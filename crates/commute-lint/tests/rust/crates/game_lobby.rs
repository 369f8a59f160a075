//! Rooms with states, players who sit in them, and a matchmaker thread. The lobby is one static.

pub mod player {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::Mutex;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct PlayerId(pub u32);

    pub struct Player {
        pub id: PlayerId,
        rating: AtomicU32,
        room: Mutex<Option<u32>>,
    }

    impl Player {
        pub fn new(id: PlayerId) -> Self {
            Player {
                id,
                rating: AtomicU32::new(1000),
                room: Mutex::new(None),
            }
        }

        pub fn rating(&self) -> u32 {
            self.rating.load(Ordering::Relaxed)
        }

        /// BUG atomic load … store: one of two results is lost.
        #[cfg(not(fixed))]
        pub fn won(&self, points: u32) {
            let rating = self.rating();
            self.rating.store(rating.saturating_add(points).min(3000), Ordering::Relaxed);
        }

        #[cfg(fixed)]
        pub fn won(&self, points: u32) {
            let _ = self.rating.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |rating| {
                Some(rating.saturating_add(points).min(3000))
            });
        }

        pub fn room(&self) -> Option<u32> {
            *self.room.lock().unwrap()
        }

        /// BUG check-then-act: two rooms both take the player.
        #[cfg(not(fixed))]
        pub fn sit(&self, room: u32) -> bool {
            if self.room().is_some() {
                return false;
            }
            *self.room.lock().unwrap() = Some(room);
            true
        }

        #[cfg(fixed)]
        pub fn sit(&self, room: u32) -> bool {
            let mut place = self.room.lock().unwrap();
            if place.is_some() {
                return false;
            }
            *place = Some(room);
            true
        }

        /// RIGHT: leaves only the room that it is told.
        pub fn stand_up(&self, room: u32) -> bool {
            let mut place = self.room.lock().unwrap();
            let there = *place == Some(room);
            if there {
                *place = None;
            }
            there
        }
    }
}

pub mod room {
    use crate::player::{Player, PlayerId};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Phase {
        Open,
        Playing { round: u32 },
        Over { winner: PlayerId },
    }

    struct Inner {
        phase: Phase,
        seats: Vec<Arc<Player>>,
        scores: Vec<u32>,
    }

    pub struct Room {
        pub number: u32,
        seats: usize,
        inner: Mutex<Inner>,
    }

    impl Room {
        pub fn new(number: u32, seats: usize) -> Self {
            Room {
                number,
                seats,
                inner: Mutex::new(Inner {
                    phase: Phase::Open,
                    seats: Vec::new(),
                    scores: Vec::new(),
                }),
            }
        }

        pub fn phase(&self) -> Phase {
            self.inner.lock().unwrap().phase.clone()
        }

        #[cfg(not(fixed))]
        fn set_phase(&self, phase: Phase) {
            self.inner.lock().unwrap().phase = phase;
        }

        /// RIGHT: all in one section; the player's own lock is inside of it.
        pub fn join(&self, player: &Arc<Player>) -> bool {
            let mut inner = self.inner.lock().unwrap();
            if inner.phase != Phase::Open || inner.seats.len() == self.seats {
                return false;
            }
            if !player.sit(self.number) {
                return false;
            }
            inner.seats.push(Arc::clone(player));
            inner.scores.push(0);
            true
        }

        /// RIGHT: begins under the lock that it looked under.
        pub fn begin(&self) -> bool {
            let mut inner = self.inner.lock().unwrap();
            let full = inner.seats.len() == self.seats;
            if full && inner.phase == Phase::Open {
                inner.phase = Phase::Playing { round: 1 };
                return true;
            }
            false
        }

        /// BUG stale value written back: two calls make one round, and a game that is over goes on.
        #[cfg(not(fixed))]
        pub fn next_round(&self) -> Option<u32> {
            let Phase::Playing { round } = self.phase() else {
                return None;
            };
            let next = round + 1;
            self.set_phase(Phase::Playing { round: next });
            Some(next)
        }

        #[cfg(fixed)]
        pub fn next_round(&self) -> Option<u32> {
            let mut inner = self.inner.lock().unwrap();
            let Phase::Playing { round } = &mut inner.phase else {
                return None;
            };
            *round += 1;
            Some(*round)
        }

        #[cfg(not(fixed))]
        fn seat_of(&self, player: PlayerId) -> Option<usize> {
            let inner = self.inner.lock().unwrap();
            inner.seats.iter().position(|other| other.id == player)
        }

        /// BUG stale index: somebody left, and the points go to another.
        #[cfg(not(fixed))]
        pub fn score(&self, player: PlayerId, points: u32) -> bool {
            match self.seat_of(player) {
                Some(seat) => {
                    let mut inner = self.inner.lock().unwrap();
                    inner.scores[seat] += points;
                    true
                }
                None => false,
            }
        }

        #[cfg(fixed)]
        pub fn score(&self, player: PlayerId, points: u32) -> bool {
            let mut inner = self.inner.lock().unwrap();
            let seat = inner.seats.iter().position(|other| other.id == player);
            match seat {
                Some(seat) => {
                    inner.scores[seat] += points;
                    true
                }
                None => false,
            }
        }

        /// RIGHT: finds and removes in one section, and then lets the player know.
        pub fn leave(&self, player: PlayerId) -> bool {
            let gone = {
                let mut inner = self.inner.lock().unwrap();
                let seat = inner.seats.iter().position(|other| other.id == player);
                let Some(seat) = seat else { return false };
                inner.scores.remove(seat);
                inner.seats.remove(seat)
            };
            gone.stand_up(self.number)
        }

        /// RIGHT: who is over is over once.
        pub fn finish(&self) -> Option<PlayerId> {
            let winner = {
                let mut inner = self.inner.lock().unwrap();
                if !matches!(inner.phase, Phase::Playing { .. }) {
                    return None;
                }
                let best = (0..inner.seats.len()).max_by_key(|seat| inner.scores[*seat])?;
                let winner = Arc::clone(&inner.seats[best]);
                inner.phase = Phase::Over { winner: winner.id };
                winner
            };
            winner.won(25);
            Some(winner.id)
        }
    }
}

pub mod lobby {
    use crate::player::{Player, PlayerId};
    use crate::room::{Phase, Room};
    use std::collections::{BTreeMap, HashMap, VecDeque};
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, LazyLock, Mutex, RwLock};
    use std::thread;
    use std::time::Duration;

    static ROOMS: LazyLock<RwLock<BTreeMap<u32, Arc<Room>>>> = LazyLock::new(RwLock::default);
    static PLAYERS: LazyLock<RwLock<HashMap<PlayerId, Arc<Player>>>> = LazyLock::new(RwLock::default);
    static WAITING: Mutex<VecDeque<PlayerId>> = Mutex::new(VecDeque::new());
    static NEXT_ROOM: AtomicU32 = AtomicU32::new(1);

    fn find(id: PlayerId) -> Option<Arc<Player>> {
        PLAYERS.read().unwrap().get(&id).cloned()
    }

    /// BUG check-then-act: two connections of one player make two, and one is lost.
    #[cfg(not(fixed))]
    pub fn connect(id: PlayerId) -> Arc<Player> {
        if let Some(player) = find(id) {
            return player;
        }
        let player = Arc::new(Player::new(id));
        PLAYERS.write().unwrap().insert(id, Arc::clone(&player));
        player
    }

    #[cfg(fixed)]
    pub fn connect(id: PlayerId) -> Arc<Player> {
        if let Some(player) = find(id) {
            return player;
        }
        let mut players = PLAYERS.write().unwrap();
        let player = players.entry(id).or_insert_with(|| Arc::new(Player::new(id)));
        Arc::clone(player)
    }

    /// RIGHT: a player waits once.
    pub fn wait_for_game(id: PlayerId) -> bool {
        let mut waiting = WAITING.lock().unwrap();
        if waiting.contains(&id) {
            return false;
        }
        waiting.push_back(id);
        true
    }

    /// RIGHT: a new number for every room.
    pub fn open_room(seats: usize) -> Arc<Room> {
        let number = NEXT_ROOM.fetch_add(1, Ordering::Relaxed);
        let room = Arc::new(Room::new(number, seats));
        ROOMS.write().unwrap().insert(number, Arc::clone(&room));
        room
    }

    /// RIGHT: pairs are taken out in one section; who cannot sit waits again.
    pub fn match_waiting() -> usize {
        let pairs: Vec<(PlayerId, PlayerId)> = {
            let mut waiting = WAITING.lock().unwrap();
            let mut pairs = Vec::new();
            while waiting.len() >= 2 {
                let first = waiting.pop_front();
                let second = waiting.pop_front();
                pairs.extend(first.zip(second));
            }
            pairs
        };
        let mut matched = 0;
        for (one, two) in pairs {
            let room = open_room(2);
            for id in [one, two] {
                let sits = find(id).is_some_and(|player| room.join(&player));
                if !sits {
                    wait_for_game(id);
                }
            }
            if room.begin() {
                matched += 1;
            }
        }
        matched
    }

    /// RIGHT: a room that is over never opens again.
    pub fn sweep() -> usize {
        let mut rooms = ROOMS.write().unwrap();
        let before = rooms.len();
        rooms.retain(|_, room| !matches!(room.phase(), Phase::Over { .. }));
        before - rooms.len()
    }

    pub fn run_matchmaker() {
        thread::spawn(|| loop {
            match_waiting();
            sweep();
            thread::sleep(Duration::from_millis(200));
        });
    }
}

pub use lobby::{connect, run_matchmaker, wait_for_game};
pub use player::{Player, PlayerId};
pub use room::{Phase, Room};
