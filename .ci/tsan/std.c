/* What ThreadSanitizer does not see of std.
 *
 * The std that comes with the compiler is not instrumented. Its generic and inlined
 * parts are compiled with whoever uses them, and are seen: the fast way through a
 * mutex, for example, and every atomic. The rest is not: a mutex that was waited for
 * seems not to be taken, and what it protects to be raced for. So the linker puts
 * these functions around those of std (--wrap); they say what std does. `run` knows
 * the names of std's functions and gives them to us as macros.
 */
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define GLUE(a, b) a##b
#define NAME(a, b) GLUE(a, b)
#define REAL(name) NAME(__real_, name)
#define WRAP(name) NAME(__wrap_, name)

/* Functions that end with having a lock, whose state is the first that it has. */
#define TAKES(name)                                                                      \
    void REAL(name)(void *lock);                                                         \
    void WRAP(name)(void *lock) {                                                        \
        REAL(name)(lock);                                                                \
        __tsan_acquire(lock);                                                            \
    }

TAKES(MUTEX_LOCK)
TAKES(RWLOCK_READ)
TAKES(RWLOCK_WRITE)

/* A wait gives the mutex back and takes it again. */
void REAL(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAP(CONDVAR_WAIT)(void *condvar, void *mutex) {
    __tsan_release(mutex);
    REAL(CONDVAR_WAIT)(condvar, mutex);
    __tsan_acquire(mutex);
}

bool REAL(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanos);
bool WRAP(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanos) {
    __tsan_release(mutex);
    bool in_time = REAL(CONDVAR_WAIT_TIMEOUT)(condvar, mutex, seconds, nanos);
    __tsan_acquire(mutex);
    return in_time;
}

/* Everybody who comes is seen by everybody who goes. */
bool REAL(BARRIER_WAIT)(void *barrier);
bool WRAP(BARRIER_WAIT)(void *barrier) {
    __tsan_release(barrier);
    bool is_leader = REAL(BARRIER_WAIT)(barrier);
    __tsan_acquire(barrier);
    return is_leader;
}

/* What is done once is over before the state says so. The function is a reference to a
 * `dyn FnMut`; its table has three words, `call_once` and `call_mut`. */
enum { CALL_MUT = 4, TABLE = 5 };
typedef void Call(void *function, void *state);

struct Once {
    void *once;
    void *function;
    void **table;
};

static void call_and_release(void *called, void *state) {
    struct Once *this = called;
    ((Call *)this->table[CALL_MUT])(this->function, state);
    __tsan_release(this->once);
}

void REAL(ONCE_CALL)(void *once, bool force, void *function, void **table, void *caller);
void WRAP(ONCE_CALL)(void *once, bool force, void *function, void **table, void *caller) {
    struct Once this = {once, function, table};
    void *ours[TABLE] = {0, (void *)sizeof this, (void *)8, 0, (void *)call_and_release};
    REAL(ONCE_CALL)(once, force, &this, ours, caller);
    __tsan_acquire(once);
}

void REAL(ONCE_WAIT)(void *once, void *caller);
void WRAP(ONCE_WAIT)(void *once, void *caller) {
    REAL(ONCE_WAIT)(once, caller);
    __tsan_acquire(once);
}

void REAL(ONCE_WAIT_FORCE)(void *once, void *caller);
void WRAP(ONCE_WAIT_FORCE)(void *once, void *caller) {
    REAL(ONCE_WAIT_FORCE)(once, caller);
    __tsan_acquire(once);
}

/* A scoped thread is over when it is counted out. Which of its first words the count is
 * is up to the compiler. */
void REAL(SCOPE_OUT)(void *scope, bool panicked);
void WRAP(SCOPE_OUT)(void *scope, bool panicked) {
    for (int word = 0; word < 3; word++) {
        __tsan_release((char *)scope + 8 * word);
    }
    REAL(SCOPE_OUT)(scope, panicked);
}

/* The last owner of an `Arc` has counted itself out before it may look at what others
 * did: a fence after the count says so. ThreadSanitizer knows no fences, so it is told
 * what this thread has counted last. */
static _Thread_local void *counted;
enum { ACQUIRE = 2, RELEASE = 3 };

uint64_t __real___tsan_atomic64_fetch_sub(void *count, uint64_t by, int order);
uint64_t __wrap___tsan_atomic64_fetch_sub(void *count, uint64_t by, int order) {
    counted = count;
    return __real___tsan_atomic64_fetch_sub(count, by, order);
}

void __real___tsan_atomic_thread_fence(int order);
void __wrap___tsan_atomic_thread_fence(int order) {
    __real___tsan_atomic_thread_fence(order);
    if (counted && order >= ACQUIRE && order != RELEASE) {
        __tsan_acquire(counted);
    }
}
