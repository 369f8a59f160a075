# A condition variable. A wait is two actions: `wait_begin` when the mutex is released,
# `wake` when it is held again. Shadow results: `notify_one` gives the thread it woke (nil
# if none waited), `notify_all` how many it woke.
#
# A notification that comes before the wait is lost (thesis, Figure 3.2), hence `order`.
#
# Surprising:
# - The figure lets notifications commute. With the woken thread in the action they do
#   when they woke different threads, or nobody; not when one woke the only waiter.
# - Beginning to wait commutes with a notification that woke somebody else.

type condvar {
  model condvar

  wait_begin(t)  mutates true
  wake(t)  mutates true
  notify_one() -> w  mutates w != nil
  notify_all() -> z  mutates z != 0

  wait_begin(t1) ~ wake(t2)              : t1 != t2
  order wait_begin(t1) ~ notify_one()/w2 : w2 != nil && t1 != w2
  wake(t1) ~ notify_one()/w2             : t1 != w2
  wake(t1) ~ notify_all()/z2             : z2 == 0
  notify_one()/w1 ~ notify_one()/w2      : (w1 == nil && w2 == nil) || (w1 != w2 && w1 != nil && w2 != nil)
  notify_one()/w1 ~ notify_all()/z2      : w1 == nil && z2 == 0
  notify_all()/z1 ~ notify_all()/z2      : z1 == 0 && z2 == 0
  wait_begin ~ wait_begin, wake ~ wake : true
  order wait_begin ~ notify_all : false
}
