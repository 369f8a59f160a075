# An unbounded first-in, first-out queue (SegQueue, ConcurrentQueue).
#
# Surprising: `push(v)` and a `pop` that returned some other value commute: the pop took an
# older element. Pushes never commute (unless the values are equal, which ECL cannot say).

type queue {
  model queue
  orders push(v) -> pop()/v if v != nil | peek()/v if v != nil  counting

  push(v)  mutates true
  pop() -> r  mutates r != nil
  peek() -> r
  len() -> n
  is_empty() -> e

  push(v1) ~ pop()/r2      : r2 != nil && v1 != r2
  push(v1) ~ peek()/r2     : r2 != nil && v1 != r2
  pop()/r1 ~ pop()/r2      : r1 == nil && r2 == nil
  pop()/r1 ~ peek()/r2     : r1 == nil
  pop()/r1 ~ len()/n2      : r1 == nil
  pop()/r1 ~ is_empty()/e2 : r1 == nil
  peek ~ peek, peek ~ len, peek ~ is_empty, len ~ len, len ~ is_empty, is_empty ~ is_empty : true
  push ~ push, push ~ len, push ~ is_empty : false
}
