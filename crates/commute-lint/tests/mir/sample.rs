//! One of everything that MIR has, for the tests of the parser.

use std::cell::Cell;
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard};

pub static COUNTER: Mutex<u64> = Mutex::new(0);
pub static mut RAW: u32 = 7;
pub const NAME: &str = "// not a comment; \" } -> [return: bb1";
pub const LIMIT: usize = 8;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

unsafe extern "C" {
    static environ: *const u8;
}

pub struct Shared {
    id: u32,
    inner: Mutex<HashMap<String, i64>>,
}

pub enum Shape {
    Empty,
    Round(f64),
    Edged { sides: u8, r#type: char },
}

pub union Bits {
    float: f32,
    word: u32,
}

pub struct Grid<T, const N: usize>(pub [T; N]);

pub trait Visit {
    const WEIGHT: u32 = 1;
    type Seen<'a>
    where
        Self: 'a;
    fn visit<'a>(&'a self, to: &mut dyn FnMut(Self::Seen<'a>) -> bool) -> u32;
}

impl<T: Clone, const N: usize> Visit for Grid<T, N> {
    type Seen<'a>
        = &'a T
    where
        T: 'a;
    fn visit<'a>(&'a self, to: &mut dyn FnMut(&'a T) -> bool) -> u32 {
        self.0.iter().filter(|item| to(item)).count() as u32 * Self::WEIGHT
    }
}

impl Shared {
    pub fn get(&self, key: &str) -> Option<i64> {
        self.inner.lock().unwrap().get(key).copied()
    }

    pub fn guard(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.inner.lock().unwrap()
    }

    pub fn add(&self, key: &str) -> i64 {
        if let Some(found) = self.get(key) {
            return found + 1;
        }
        let mut guard = self.guard();
        *guard.entry(key.to_owned()).or_insert(0) += i64::from(self.id);
        guard[key]
    }
}

pub fn shapes(shape: &mut Shape, by: u8) -> char {
    match shape {
        Shape::Empty => '\'',
        Shape::Round(radius) if *radius < 1e-3 => '"',
        Shape::Round(_) => {
            *shape = Shape::Edged { sides: by / 2, r#type: '{' };
            '\u{1f600}'
        }
        Shape::Edged { sides, r#type } => {
            *sides = (*sides << (by & 3)).wrapping_neg();
            *r#type
        }
    }
}

pub fn slices(items: &[u8], index: usize) -> (u8, [u16; 4], [i32; LIMIT]) {
    let sum = match items {
        [first, .., last] => first ^ last,
        [only] => !only,
        [] => b'\'',
    };
    let [head, ..] = [1_u16, 2, 3];
    (sum | items[index], [head, u16::from(sum), 3, 4], [-1; LIMIT])
}

pub fn pointers(bits: Bits, to: *mut u32, of: fn(u32) -> (u32, u32)) -> u32 {
    unsafe {
        std::ptr::copy_nonoverlapping(&bits.word, to, 1);
        RAW += bits.float as u32;
        let array: *const [u8] = std::ptr::slice_from_raw_parts(environ, 3);
        of(*to).1 + array.len() as u32 + (&raw const RAW).read()
    }
}

pub fn reified() -> fn(u32) -> (u32, u32) {
    const TWICE: fn(u32) -> (u32, u32) = |x| (x, x);
    if TWICE(1).0 == 2 {
        return TWICE;
    }
    let add: fn(u32) -> (u32, u32) = pair;
    add
}

fn pair(x: u32) -> (u32, u32) {
    (x, x.wrapping_add(1))
}

pub fn spawned(shared: &Arc<Shared>) -> Vec<u64> {
    fn work() -> u64 {
        let mut count = COUNTER.lock().unwrap();
        *count += 1;
        *count
    }
    let named = std::thread::spawn(work);
    let threads = (0..2).map(|n| {
        let shared = Arc::clone(shared);
        std::thread::spawn(move || shared.add(NAME) as u64 + n)
    });
    let all: Vec<_> = threads.chain([named]).collect();
    all.into_iter().map(|thread| thread.join().unwrap()).collect()
}

pub async fn awaited<F: Future<Output = u32>>(shared: Arc<Shared>, future: F) -> u32 {
    let mut total = 0;
    for _ in 0..shared.id {
        total += async { shared.id }.await;
    }
    let more = async |x: u32| x + shared.id;
    total + future.await + more(1).await
}

pub fn boxed(message: &str) -> Box<dyn Fn(&str) -> String + Send + '_> {
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    let text = format!("{message}: {:?} {}", b"\x00\"//", 1.5_f32);
    Box::new(move |more| text.clone() + more)
}

pub fn fails(reason: impl Into<String>) -> Result<std::convert::Infallible, String> {
    let reason = reason.into();
    if reason.is_empty() {
        panic!("no reason; {{}} // {reason}");
    }
    Err(reason)?;
    loop {}
}

pub const fn twice(x: u8) -> u16 {
    x as u16 * 2
}

#[cfg(target_arch = "x86_64")]
pub fn assembly(mut x: u64) -> u64 {
    unsafe {
        std::arch::asm!(
            "add {0}, 2 // \"two\"",
            "nop",
            inout(reg) x,
        );
        std::arch::asm!("test {0}, {0}", "jnz {1}", in(reg) x, label { x += 1 }, options(nomem));
    }
    x
}
