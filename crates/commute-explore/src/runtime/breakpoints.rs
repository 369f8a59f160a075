//! Breakpoints in functions of this program: the first call of each is noted, and where it
//! came from.
//!
//! A breakpoint is one byte in place of the first of a function. When a thread comes to it,
//! the signal handler puts that byte back and the thread goes on. Only Linux on x86-64 has
//! them here, and only if the system allows code to be changed; elsewhere nothing is met.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) use imp::{is_met, met, set};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn is_met(_: super::unseen::Does) -> bool {
    false
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn met(_: super::unseen::Does) -> Vec<(String, String)> {
    Vec::new()
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod imp {
    use std::backtrace::Backtrace;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::sync::{Mutex, OnceLock, PoisonError};

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

    /// Which breakpoints threads of a test have come to, and their stacks.
    static MET: Mutex<Vec<(usize, Backtrace)>> = Mutex::new(Vec::new());

    /// So many are enough.
    const MOST: usize = 32;

    /// `int3`
    const BREAKPOINT: u8 = 0xCC;

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
        let Some(base) = base().filter(|_| !functions.is_empty()) else {
            return;
        };
        let all = functions.into_iter().filter_map(|(function, does)| {
            let address = base.wrapping_add(function.address as usize);
            let pointer = std::ptr::with_exposed_provenance::<u8>(address);
            is_writable(address).then(|| Breakpoint {
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
        for breakpoint in SET.get().into_iter().flatten() {
            write(breakpoint.address, BREAKPOINT);
        }
    }

    #[expect(unsafe_code, reason = "code of the program is changed")]
    fn write(address: usize, byte: u8) {
        // SAFETY: the page was made writable. A byte is written at once, and both that are
        // ever there are the beginning of an instruction.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(address).write_volatile(byte) };
    }

    #[expect(unsafe_code, reason = "a signal handler")]
    extern "C" fn reached(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
        let context = context.cast::<libc::ucontext_t>();
        // SAFETY: the kernel gives a context that is ours for the time of the call.
        let counter = unsafe { &mut (*context).uc_mcontext.gregs[libc::REG_RIP as usize] };
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
        write(address, set[place].byte);
        *counter = address as libc::greg_t;
        // The thread is at the beginning of a function, so it has none of the locks that a
        // look at the stack needs.
        if is_running()
            && let Ok(mut met) = MET.try_lock()
            && met.len() < MOST
        {
            met.push((place, Backtrace::force_capture()));
            KINDS.fetch_or(1 << set[place].does as u32, Relaxed);
        }
    }

    /// Whether a thread of a test has called a function that does this.
    #[inline]
    pub(in super::super) fn is_met(does: Does) -> bool {
        KINDS.load(Relaxed) & (1 << does as u32) != 0
    }

    /// The functions that do this and were called by threads of a test, in the order in
    /// which they were, with the stacks of the calls.
    pub(in super::super) fn met(does: Does) -> Vec<(String, String)> {
        let set = SET.get().map_or(&[][..], |set| set);
        let met = MET.lock().unwrap_or_else(PoisonError::into_inner);
        let those = met.iter().filter(|(place, _)| set[*place].does == does);
        those
            .map(|(place, stack)| (set[*place].name.clone(), stack.to_string()))
            .collect()
    }
}
