# A last-in, first-out stack.
#
# Surprising: unlike in a queue, `push` and `pop` never commute: whatever was pushed last is
# what is popped.

type stack {
  model stack
  orders push(v) -> pop()/v if v != nil | peek()/v if v != nil

  push(v)  mutates true
  pop() -> r  mutates r != nil
  peek() -> r
  len() -> n
  is_empty() -> e

  pop()/r1 ~ pop()/r2      : r1 == nil && r2 == nil
  pop()/r1 ~ peek()/r2     : r1 == nil
  pop()/r1 ~ len()/n2      : r1 == nil
  pop()/r1 ~ is_empty()/e2 : r1 == nil
  peek ~ peek, peek ~ len, peek ~ is_empty, len ~ len, len ~ is_empty, is_empty ~ is_empty : true
  push ~ push, push ~ pop, push ~ peek, push ~ len, push ~ is_empty : false
}
