//! That the pump was on when it all began decides about much, and long ago. That
//! it is on decides about switching it on.
//@ suppression: Far
//@ finding: regulate
use std::sync::Mutex;
struct Pump {
    on: bool,
    runs: u64,
}
pub struct Tank {
    pump: Mutex<Pump>,
    level: Mutex<i64>,
    inflow: Mutex<i64>,
    outflow: Mutex<i64>,
}
impl Tank {
    pub fn regulate(&self) {
        #[cfg(fixed)]
        if self.pump.lock().unwrap().on {
            return;
        }
        if *self.level.lock().unwrap() < 10 {
            return;
        }
        if *self.inflow.lock().unwrap() < 10 {
            return;
        }
        if *self.outflow.lock().unwrap() > 10 {
            return;
        }
        #[cfg(not(fixed))]
        if self.pump.lock().unwrap().on {
            return;
        }
        let mut pump = self.pump.lock().unwrap();
        pump.on = true;
        pump.runs += 1;
    }
    pub fn stop(&self) {
        self.pump.lock().unwrap().on = false;
    }
    pub fn measure(&self, level: i64) {
        *self.level.lock().unwrap() = level;
        *self.inflow.lock().unwrap() = level;
        *self.outflow.lock().unwrap() = level;
    }
}
