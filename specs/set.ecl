# The set of the thesis (Table 2.1): `add` returns whether the value was already there.
# Rust's sets, whose `insert` returns the opposite, are `hashset`.
#
# Surprising: Table 4.1 prints the conditions for the opposite convention. With Table 2.1
# they are unsound: add(v)/false is what changes the set.

type set {
  model set

  add(v) -> r  mutates !r
  contains(v) -> r
  size() -> r

  add(v1)/r1 ~ add(v2)/r2      : v1 != v2 || (r1 && r2)
  add(v1)/r1 ~ contains(v2)/r2 : v1 != v2 || r1
  add(v1)/r1 ~ size()/r2       : r1
  contains ~ contains, contains ~ size, size ~ size : true
}
