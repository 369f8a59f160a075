# The dictionary of Commutativity Race Detection (Figures 5 and 6). `put` with nil removes
# and returns the previous value; an absent key has the value nil.
#
# Surprising: `put` and `size` commute if the put neither adds nor removes a key, and that
# includes putting nil where nil was.

type dictionary {
  model map

  put(k, v) -> p  mutates v != p
  get(k) -> v
  size() -> r

  put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)
  put(k1, v1)/p1 ~ get(k2)/v2     : k1 != k2 || v1 == p1
  put(k1, v1)/p1 ~ size()/r2      : (v1 == nil) == (p1 == nil)
  get ~ get, get ~ size, size ~ size : true
}
