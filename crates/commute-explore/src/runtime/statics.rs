//! Statics, which every run has to find as they were at the beginning.
//!
//! An object of ours that is in the data of the program, and not on the heap or a stack,
//! is a static or a part of one. When it is first used in a test its bytes are kept, and
//! after each run it is dropped and gets them back.
//!
//! Why that is sound: nobody has used it before, so its value is the one that the
//! compiler has evaluated, and such a value owns nothing that exists once only: no memory
//! from the heap, no file. Copies of it are as good as the first, as with a `const`.
//! Whatever the run has put into it is dropped with it. Nobody refers to it any more: the
//! threads of the run are gone, and what they leaked never goes on.
//!
//! Of statics inside of others (the value in a `LazyLock`) only the outermost counts,
//! which was used before what is in it. Gaps: what is static in a way that is not seen
//! (`static mut`, cells of other crates) is carried over from run to run.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// The memory of an object, and how it is dropped.
pub(super) struct Whole {
    address: usize,
    size: usize,
    drop: Box<dyn Fn()>,
}

impl Whole {
    /// Of an object that is in the data of the program; none of any other.
    pub(super) fn of<T: ?Sized>(object: &T) -> Option<Whole> {
        let pointer = std::ptr::from_ref(object).cast_mut();
        let address = pointer.cast::<u8>().addr();
        if !is_static(address) {
            return None;
        }
        let drop: Box<dyn Fn() + '_> = Box::new(move || {
            // SAFETY: called when no thread of the test is left, so nobody refers to the
            // object; it gets a value again before anybody does.
            #[expect(unsafe_code, reason = "statics are dropped by nobody else")]
            unsafe {
                pointer.drop_in_place();
            }
        });
        // SAFETY: only the lifetime changes. What is in the data of the program lives as
        // long as the program, so its type does too.
        #[expect(unsafe_code, reason = "a static lives for ever")]
        let drop = unsafe { std::mem::transmute::<Box<dyn Fn() + '_>, Box<dyn Fn()>>(drop) };
        Some(Whole {
            address,
            size: size_of_val(object),
            drop,
        })
    }
}

/// Whether there is data of the program there.
pub(super) fn is_static(address: usize) -> bool {
    static DATA: OnceLock<Vec<(usize, usize)>> = OnceLock::new();
    let data = DATA.get_or_init(segments);
    data.iter()
        .any(|(from, to)| (*from..*to).contains(&address))
}

/// Where the program, and the libraries that it was loaded with, have what can be
/// written.
#[cfg(all(unix, not(target_vendor = "apple")))]
#[expect(unsafe_code, reason = "the loader knows")]
fn segments() -> Vec<(usize, usize)> {
    unsafe extern "C" fn note(
        info: *mut libc::dl_phdr_info,
        _size: libc::size_t,
        found: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader calls this with valid information, and with our vector.
        let (info, found) = unsafe { (&*info, &mut *found.cast::<Vec<(usize, usize)>>()) };
        for index in 0..usize::from(info.dlpi_phnum) {
            // SAFETY: there are that many headers.
            let header = unsafe { &*info.dlpi_phdr.add(index) };
            if header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_W != 0 {
                let from = info.dlpi_addr as usize + header.p_vaddr as usize;
                found.push((from, from + header.p_memsz as usize));
            }
        }
        0
    }
    let mut found = Vec::new();
    // SAFETY: the function does not keep what it is given.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    found
}

/// Nobody is asked: statics are then objects that are carried over.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
fn segments() -> Vec<(usize, usize)> {
    Vec::new()
}

struct Static {
    whole: Whole,
    bytes: Box<[u8]>,
}

/// The statics that a test uses.
#[derive(Default)]
pub(super) struct Statics {
    known: FxHashMap<usize, Static>,
    /// Those that this run has used.
    used: Vec<usize>,
}

impl Statics {
    /// An object is first used in a run.
    pub(super) fn use_first(&mut self, whole: Option<Whole>) {
        let Some(whole) = whole else { return };
        let address = whole.address;
        let has = |outer: &usize| {
            let outer = &self.known[outer].whole;
            (outer.address..outer.address + outer.size).contains(&address)
        };
        if self.used.iter().any(has) {
            return;
        }
        self.used.push(address);
        self.known.entry(address).or_insert_with(|| {
            let from = std::ptr::with_exposed_provenance::<u8>(address);
            let mut bytes = vec![0; whole.size];
            // SAFETY: so many bytes of an object are there. What lies between its parts
            // may be anything, and is copied as it is.
            #[expect(unsafe_code, reason = "any object is some bytes")]
            unsafe {
                std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), whole.size);
            }
            Static {
                whole,
                bytes: bytes.into(),
            }
        });
    }

    /// No thread of the run is left: all get back what they were.
    pub(super) fn reset(&mut self) {
        for address in self.used.drain(..).rev() {
            let Static { whole, bytes } = &self.known[&address];
            (whole.drop)();
            let to = std::ptr::with_exposed_provenance_mut::<u8>(address);
            // SAFETY: the object was dropped, nobody refers to it, and these are the
            // bytes of its first value, which owned nothing: see above.
            #[expect(unsafe_code, reason = "the value that the compiler gave it")]
            unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, whole.size);
            }
        }
    }
}
