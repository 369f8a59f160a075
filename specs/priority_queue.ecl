# A priority queue that gives the least element first (a heap, SkipMap::pop_front).
#
# Surprising: pushes commute. A push commutes with a pop that returned something smaller,
# which compares the two invocations by more than `!=`; that is outside ECL, so races on
# these queues are checked pair by pair.

type priority_queue {
  model priority_queue
  orders push(v) -> pop_min()/v if v != nil | peek()/v if v != nil

  push(v)  mutates true
  pop_min() -> r  mutates r != nil
  peek() -> r
  len() -> n

  push(v1) ~ pop_min()/r2     : r2 != nil && v1 > r2
  push(v1) ~ peek()/r2        : r2 != nil && v1 > r2
  pop_min()/r1 ~ pop_min()/r2 : r1 == nil && r2 == nil
  pop_min()/r1 ~ peek()/r2    : r1 == nil
  pop_min()/r1 ~ len()/n2     : r1 == nil
  push ~ push, peek ~ peek, peek ~ len, len ~ len : true
  push ~ len : false
}
