//! Breakpoints in functions of this program: calls are noted, and where they came from.
//!
//! A breakpoint is one byte in place of the first of a function. When a thread comes to it,
//! the signal handler puts that byte back and the thread goes on. Of most functions the
//! first call is enough. Where all calls are to be noted, the thread executes one
//! instruction (the trap flag of the processor), and a second signal sets the breakpoint
//! again; such breakpoints are there only while they are armed. Two bounds limit their
//! cost: [`MOST`] different stacks, [`MOST_CALLS`] calls.
//!
//! Only Linux on x86-64 has breakpoints here, and only if the system allows code to be
//! changed; elsewhere nothing is met.
//!
//! [`MOST`]: imp::MOST
//! [`MOST_CALLS`]: imp::MOST_CALLS

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) use imp::{are_set, arm, disarm, is_complete, is_met, met, set};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn is_met(_: super::unseen::Does) -> bool {
    false
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn are_set() -> bool {
    false
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn arm(_: super::unseen::Does) {}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn disarm(_: super::unseen::Does) {}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn is_complete(_: super::unseen::Does) -> bool {
    false
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn met(_: super::unseen::Does) -> Vec<(String, String)> {
    Vec::new()
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod imp {
    use std::backtrace::Backtrace;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
    use std::sync::{Mutex, OnceLock, PoisonError};

    use super::super::callers::callers;
    use super::super::fiber::is_running;
    use super::super::symbols::Function;
    use super::super::unseen::Does;

    struct Breakpoint {
        address: usize,
        /// The byte that was there.
        byte: u8,
        name: String,
        does: Does,
    }

    /// Sorted by address.
    static SET: OnceLock<Vec<Breakpoint>> = OnceLock::new();

    /// What was met, a bit for each kind.
    static KINDS: AtomicU32 = AtomicU32::new(0);

    /// A call of a function with a breakpoint, by a thread of a test.
    struct Met {
        /// The place of the breakpoint in [`SET`].
        place: usize,
        stack: Backtrace,
        /// The addresses on the stack: calls with equal ones are noted once.
        callers: Vec<usize>,
    }

    static MET: Mutex<Vec<Met>> = Mutex::new(Vec::new());

    /// Calls of functions whose calls are all noted.
    static CALLS: AtomicU32 = AtomicU32::new(0);

    /// Whether all functions that were to get a breakpoint have one.
    static ARE_SET: AtomicBool = AtomicBool::new(false);

    /// Which kinds are armed, a bit for each.
    static ARMED: AtomicU32 = AtomicU32::new(0);

    /// So many stacks of one kind are enough.
    pub(super) const MOST: usize = 32;

    /// So many calls are noted in a process: each costs some microseconds.
    pub(super) const MOST_CALLS: u32 = 1024;

    /// `int3`
    const BREAKPOINT: u8 = 0xCC;

    /// The bit of the flags that makes the processor trap after an instruction.
    const TRAP_FLAG: libc::greg_t = 0x100;

    /// `TRAP_TRACE`: why there is a signal after one instruction.
    const AFTER_INSTRUCTION: libc::c_int = 2;

    /// Where the program is in memory.
    #[expect(unsafe_code, reason = "only the loader knows")]
    fn base() -> Option<usize> {
        unsafe extern "C" fn first(
            info: *mut libc::dl_phdr_info,
            _: usize,
            base: *mut libc::c_void,
        ) -> libc::c_int {
            // SAFETY: both are valid for the time of the call.
            unsafe { *base.cast::<usize>() = (*info).dlpi_addr as usize };
            1
        }
        let mut base = 0_usize;
        // SAFETY: the function does not keep what it gets. The first is the program.
        let found = unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut base).cast()) };
        (found == 1).then_some(base)
    }

    /// Makes the page of an address writable. Some systems do not allow that.
    #[expect(unsafe_code, reason = "code of the program is to be changed")]
    fn is_writable(address: usize) -> bool {
        let all_rights = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // SAFETY: the first asks for a number. The page is code of the program, from its
        // symbol table, and what is in it stays what it is.
        unsafe {
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(4096);
            let start = std::ptr::with_exposed_provenance_mut(address & !(page - 1));
            libc::mprotect(start, page, all_rights) == 0
        }
    }

    /// Sets a breakpoint in each of these functions. Only the first call counts.
    #[expect(unsafe_code, reason = "code of the program is changed")]
    pub(in super::super) fn set(functions: Vec<(Function, Does)>) {
        if functions.is_empty() {
            ARE_SET.store(true, Relaxed);
            return;
        }
        let Some(base) = base() else {
            return;
        };
        let mut is_refused = false;
        let all = functions.into_iter().filter_map(|(function, does)| {
            let address = base.wrapping_add(function.address as usize);
            let pointer = std::ptr::with_exposed_provenance::<u8>(address);
            let is_writable = is_writable(address);
            is_refused |= !is_writable;
            is_writable.then(|| Breakpoint {
                address,
                // SAFETY: code of the program, from its symbol table.
                byte: unsafe { pointer.read_volatile() },
                name: function.name,
                does,
            })
        });
        let mut all: Vec<Breakpoint> = all.collect();
        all.sort_unstable_by_key(|breakpoint| breakpoint.address);
        all.dedup_by_key(|breakpoint| breakpoint.address);
        if all.is_empty() || SET.set(all).is_err() {
            return;
        }
        type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
        let handler: Handler = reached;
        // SAFETY: zeros are a valid `sigaction`. The handler runs on the stack of the
        // thread, where there is room. Only when it is there are breakpoints written.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            if libc::sigaction(libc::SIGTRAP, &raw const action, std::ptr::null_mut()) != 0 {
                return;
            }
        }
        ARE_SET.store(!is_refused, Relaxed);
        let once = of(|does| !does.is_noted_again());
        once.for_each(|breakpoint| write(breakpoint.address, BREAKPOINT));
    }

    /// Whether the breakpoints that were asked for are there.
    pub(in super::super) fn are_set() -> bool {
        ARE_SET.load(Relaxed)
    }

    /// Breakpoints in functions that do such things.
    fn of(is_wanted: impl Fn(Does) -> bool) -> impl Iterator<Item = &'static Breakpoint> {
        let all = SET.get().into_iter().flatten();
        all.filter(move |breakpoint| is_wanted(breakpoint.does))
    }

    /// Sets the breakpoints of functions whose calls are all noted, unless enough is known.
    pub(in super::super) fn arm(does: Does) {
        if CALLS.load(Relaxed) < MOST_CALLS {
            ARMED.fetch_or(does.bit(), Relaxed);
            of(|other| other == does).for_each(|breakpoint| write(breakpoint.address, BREAKPOINT));
        }
    }

    /// Removes the breakpoints of functions whose calls are all noted.
    pub(in super::super) fn disarm(does: Does) {
        ARMED.fetch_and(!does.bit(), Relaxed);
        of(|other| other == does).for_each(|breakpoint| write(breakpoint.address, breakpoint.byte));
    }

    /// Whether no bound has kept a call of such a function from being noted.
    pub(in super::super) fn is_complete(does: Does) -> bool {
        CALLS.load(Relaxed) < MOST_CALLS && met(does).len() < MOST
    }

    #[expect(unsafe_code, reason = "code of the program is changed")]
    fn write(address: usize, byte: u8) {
        // SAFETY: the page was made writable. A byte is written at once, and both that are
        // ever there are the beginning of an instruction.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(address).write_volatile(byte) };
    }

    #[expect(unsafe_code, reason = "a signal handler")]
    extern "C" fn reached(_: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        let context = context.cast::<libc::ucontext_t>();
        // SAFETY: the kernel gives a context, and information, that are ours for the time
        // of the call.
        let (registers, reason) = unsafe { (&mut (*context).uc_mcontext.gregs, (*info).si_code) };
        if reason == AFTER_INSTRUCTION && registers[libc::REG_EFL as usize] & TRAP_FLAG != 0 {
            registers[libc::REG_EFL as usize] &= !TRAP_FLAG;
            let armed = ARMED.load(Relaxed);
            of(|does| armed & does.bit() != 0)
                .for_each(|breakpoint| write(breakpoint.address, BREAKPOINT));
            return;
        }
        let counter = &mut registers[libc::REG_RIP as usize];
        let address = (*counter as usize).wrapping_sub(1);
        let set = SET.get().map_or(&[][..], |set| set);
        let Ok(place) = set.binary_search_by_key(&address, |breakpoint| breakpoint.address) else {
            // It is not one of ours, so it is as if nothing handled it.
            // SAFETY: always.
            unsafe {
                libc::signal(libc::SIGTRAP, libc::SIG_DFL);
                libc::raise(libc::SIGTRAP);
            }
            return;
        };
        let does = set[place].does;
        write(address, set[place].byte);
        *counter = address as libc::greg_t;
        if does.is_noted_again() && CALLS.fetch_add(1, Relaxed) < MOST_CALLS {
            registers[libc::REG_EFL as usize] |= TRAP_FLAG;
        }
        // The thread is at the beginning of a function, so it has none of the locks that a
        // look at the stack needs.
        if is_running()
            && let Ok(mut met) = MET.try_lock()
        {
            let callers = callers();
            let of_kind = met.iter().filter(|met| set[met.place].does == does);
            let is_new = of_kind.clone().all(|met| met.callers != callers);
            if is_new && of_kind.count() < MOST {
                met.push(Met {
                    place,
                    stack: Backtrace::force_capture(),
                    callers,
                });
                KINDS.fetch_or(does.bit(), Relaxed);
            }
        }
    }

    /// Whether a thread of a test has called a function that does this.
    #[inline]
    pub(in super::super) fn is_met(does: Does) -> bool {
        KINDS.load(Relaxed) & does.bit() != 0
    }

    /// The functions that do this and were called by threads of a test, in the order in
    /// which they were, with the stacks of the calls.
    pub(in super::super) fn met(does: Does) -> Vec<(String, String)> {
        let set = SET.get().map_or(&[][..], |set| set);
        let met = MET.lock().unwrap_or_else(PoisonError::into_inner);
        let those = met.iter().filter(|met| set[met.place].does == does);
        those
            .map(|met| (set[met.place].name.clone(), met.stack.to_string()))
            .collect()
    }
}
