# A counting semaphore. `acquire` waits for a permit, `try_acquire` returns whether there
# was one.
#
# Surprising: two `acquire` commute and two `release` commute, but `acquire` and `release` do
# only while a permit is free, which the actions do not show. Where the trace records how
# many permits there were (`new(s:semaphore(2))`), the rule decides: with k permits, the j-th
# acquisition comes after the (j - k)-th release.

type semaphore(permits) {
  model semaphore
  orders release() -> acquire() | try_acquire()/true  counting from permits

  acquire()  mutates true
  try_acquire() -> ok  mutates ok
  release()  mutates true
  available() -> n

  acquire() ~ try_acquire()/ok2         : ok2
  try_acquire()/ok1 ~ try_acquire()/ok2 : (ok1 && ok2) || (!ok1 && !ok2)
  try_acquire()/ok1 ~ available()/n2    : !ok1
  acquire ~ acquire, release ~ release, available ~ available : true
  acquire ~ release, acquire ~ available, try_acquire ~ release, release ~ available : false
}
