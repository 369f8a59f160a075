# Rust's sets (HashSet, DashSet, SkipSet): `insert` returns whether the value is new,
# `remove` whether it was there. `insert_` is `insert` whose result nobody looks at; `clear`
# has the number of removed elements as a shadow result. The thesis's set is `set`.
#
# Surprising:
# - `insert_` commutes with `insert_` always, with `insert` only for different values: that
#   an `insert` returned false does not help, since the `insert_` may be the reason.
# - `is_empty` and an `insert` of a new value commute in every non-empty set; without the
#   state the condition cannot say so.
#
# Every method counts as one atomic step. DashSet's len, clear and iteration are not: they
# go shard by shard.

type hashset {
  model hashset

  insert(x) -> b  mutates b
  insert_(x)  mutates true
  remove(x) -> b  mutates b
  contains(x) -> r
  len() -> n
  is_empty() -> e
  clear() -> n  mutates n != 0
  snapshot() -> s

  insert(x1)/b1 ~ insert(x2)/b2   : x1 != x2 || (!b1 && !b2)
  insert(x1)/b1 ~ insert_(x2)     : x1 != x2
  insert(x1)/b1 ~ remove(x2)/b2   : x1 != x2 || (!b1 && !b2)
  insert(x1)/b1 ~ contains(x2)/r2 : x1 != x2 || !b1
  insert(x1)/b1 ~ len()/n2        : !b1
  insert(x1)/b1 ~ is_empty()/e2   : !b1
  insert(x1)/b1 ~ clear()/n2      : n2 == 0 && !b1
  insert(x1)/b1 ~ snapshot()/s2   : !b1
  insert_(x1) ~ remove(x2)/b2     : x1 != x2
  insert_(x1) ~ contains(x2)/r2   : x1 != x2
  remove(x1)/b1 ~ remove(x2)/b2   : x1 != x2 || (!b1 && !b2)
  remove(x1)/b1 ~ contains(x2)/r2 : x1 != x2 || !b1
  remove(x1)/b1 ~ len()/n2        : !b1
  remove(x1)/b1 ~ is_empty()/e2   : !b1
  remove(x1)/b1 ~ clear()/n2      : n2 == 0 && !b1
  remove(x1)/b1 ~ snapshot()/s2   : !b1
  contains(x1)/r1 ~ clear()/n2    : n2 == 0
  len()/n1 ~ clear()/n2           : n2 == 0
  is_empty()/e1 ~ clear()/n2      : n2 == 0
  clear()/n1 ~ clear()/n2         : n1 == 0 && n2 == 0
  clear()/n1 ~ snapshot()/s2      : n1 == 0
  insert_ ~ insert_, contains ~ contains, contains ~ len, contains ~ is_empty, contains ~ snapshot,
    len ~ len, len ~ is_empty, len ~ snapshot, is_empty ~ is_empty, is_empty ~ snapshot,
    snapshot ~ snapshot : true
  insert_ ~ len, insert_ ~ is_empty, insert_ ~ clear, insert_ ~ snapshot : false
}
