# A first-in, first-out queue with a capacity (crossbeam's ArrayQueue). `push` returns
# whether there was room, `force_push` the element it threw out to make room.
#
# Surprising:
# - `push` and `pop` never commute for certain: whether the queue was full decides.
# - A `push` that found no room commutes with a `force_push` that threw something out:
#   the queue is full before and after both.

type bounded_queue {
  model bounded_queue
  orders push(v)/ok if ok | force_push(v)
    -> pop()/v if v != nil | peek()/v if v != nil | force_push(_)/v if v != nil  counting

  push(v) -> ok  mutates ok
  pop() -> r  mutates r != nil
  peek() -> r
  len() -> n
  is_empty() -> e
  force_push(v) -> d  mutates true

  push(v1)/ok1 ~ push(v2)/ok2       : !ok1 && !ok2
  push(v1)/ok1 ~ pop()/r2           : !ok1 && r2 == nil
  push(v1)/ok1 ~ peek()/r2          : (v1 != r2 && r2 != nil) || !ok1
  push(v1)/ok1 ~ len()/n2           : !ok1
  push(v1)/ok1 ~ is_empty()/e2      : !ok1
  push(v1)/ok1 ~ force_push(v2)/d2  : !ok1 && d2 != nil
  pop()/r1 ~ pop()/r2               : r1 == nil && r2 == nil
  pop()/r1 ~ peek()/r2              : r1 == nil
  pop()/r1 ~ len()/n2               : r1 == nil
  pop()/r1 ~ is_empty()/e2          : r1 == nil
  peek()/r1 ~ force_push(v2)/d2     : d2 == nil && r1 != nil && r1 != v2
  len()/n1 ~ force_push(v2)/d2      : d2 != nil
  is_empty()/e1 ~ force_push(v2)/d2 : d2 != nil
  peek ~ peek, peek ~ len, peek ~ is_empty, len ~ len, len ~ is_empty, is_empty ~ is_empty : true
  pop ~ force_push, force_push ~ force_push : false
}
