# A wait group: `add` announces tasks, `done` ends one, `wait` waits until all have ended.
# Go's sync.WaitGroup.
#
# An `add` of more than nothing that is not ordered with `wait` is a mistake: the task may
# come too late to be waited for.

type wait_group {
  model wait_group
  orders done() -> wait()

  add(n)  mutates n != 0
  done()  mutates true
  wait()

  add(n1) ~ wait() : n1 == 0
  add ~ add, add ~ done, done ~ done, wait ~ wait : true
  done ~ wait : false
}
