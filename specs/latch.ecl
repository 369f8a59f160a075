# A latch that opens when it was counted down so many times, and stays open: Java's
# CountDownLatch, C++'s std::latch.
#
# `wait` waits until the latch is open, `try_wait` returns whether it is.
#
# Surprising: `count_down` of a latch that is open changes nothing, which the actions do not
# show.

type latch(count) {
  model latch
  orders count_down() -> wait() | try_wait()/true

  count_down()  mutates true
  wait()
  try_wait() -> open

  count_down ~ count_down, wait ~ wait, wait ~ try_wait, try_wait ~ try_wait : true
  count_down ~ wait, count_down ~ try_wait : false
}
