# A growable array. Shadow results: `push` gives the index of the new element, `pop` the index
# of the removed one (l; nil if there was none). Out of bounds, `get` and `set` return nil.
#
# Surprising: with the indexes in the actions these conditions are exact. `push` commutes
# with `get` and `set` of any other index.

type vec {
  model vec

  push(v) -> j  mutates true
  pop() -> (r, l)  mutates r != nil
  get(i) -> r
  set(i, v) -> p  mutates p != nil && p != v
  len() -> n

  push(v1)/j1 ~ get(i2)/r2        : j1 != i2
  push(v1)/j1 ~ set(i2, v2)/p2    : j1 != i2
  pop()/(r1, l1) ~ pop()/(r2, l2) : r1 == nil && r2 == nil
  pop()/(r1, l1) ~ get(i2)/r2     : l1 != i2
  pop()/(r1, l1) ~ set(i2, v2)/p2 : l1 != i2
  pop()/(r1, l1) ~ len()/n2       : r1 == nil
  get(i1)/r1 ~ set(i2, v2)/p2     : i1 != i2 || p2 == v2 || p2 == nil
  set(i1, v1)/p1 ~ set(i2, v2)/p2 : i1 != i2 || ((p1 == v1 || p1 == nil) && (p2 == v2 || p2 == nil))
  get ~ get, get ~ len, set ~ len, len ~ len : true
  push ~ push, push ~ pop, push ~ len : false
}
