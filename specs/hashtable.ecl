# The hashtable of the thesis (Table 4.2).
#
# Surprising: the table lets `put` and `size` commute only if both values are not nil. A put
# of nil where nil was commutes as well, as in RD2's dictionary; this is the whole condition.

type hashtable {
  model map

  put(k, v) -> p  mutates v != p
  get(k) -> v
  size() -> r

  put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)
  put(k1, v1)/p1 ~ get(k2)/v2     : k1 != k2 || v1 == p1
  put(k1, v1)/p1 ~ size()/r2      : (v1 == nil) == (p1 == nil)
  get ~ get, get ~ size, size ~ size : true
}
