# An atomic integer, with sequentially consistent operations.
#
# `add` and `max` are `fetch_add` and `fetch_max` whose result nobody looks at;
# `cas` returns whether it succeeded, `cas_cur` also the value it found.
#
# Surprising:
# - Two `add` commute and two `max` commute; with their results looked at they do not.
# - A failed `cas(o, n)` only says that the value is not `o`. So it commutes with
#   whatever moves the value from something else to something else.
# - `max(v)` is known to change nothing only if `v` is the least value of the type:
#   with 0 in place of MIN, `load` against `max(0)` at -5 would be unsound.

type atomic {
  model atomic
  orders atomic

  load() -> r
  store(v)  mutates true
  swap(v) -> p  mutates v != p
  fetch_add(d) -> p  mutates d != 0
  add(d)  mutates d != 0
  fetch_sub(d) -> p  mutates d != 0
  cas(o, n) -> ok  mutates ok && o != n
  cas_cur(o, n) -> (ok, cur)  mutates ok && o != n
  fetch_max(v) -> p  mutates p < v
  max(v)  mutates v != MIN

  load()/r1 ~ swap(v2)/p2                                   : v2 == p2
  load()/r1 ~ fetch_add(d2)/p2                              : d2 == 0
  load()/r1 ~ add(d2)                                       : d2 == 0
  load()/r1 ~ fetch_sub(d2)/p2                              : d2 == 0
  load()/r1 ~ cas(o2, n2)/ok2                               : !ok2 || o2 == n2
  load()/r1 ~ cas_cur(o2, n2)/(ok2, cur2)                   : !ok2 || o2 == n2
  load()/r1 ~ fetch_max(v2)/p2                              : p2 >= v2
  load()/r1 ~ max(v2)                                       : v2 == MIN
  store(v1) ~ add(d2)                                       : d2 == 0
  store(v1) ~ max(v2)                                       : v2 == MIN
  swap(v1)/p1 ~ swap(v2)/p2                                 : v1 == p1 && v2 == p2
  swap(v1)/p1 ~ fetch_add(d2)/p2                            : v1 == p1 && d2 == 0
  swap(v1)/p1 ~ add(d2)                                     : d2 == 0
  swap(v1)/p1 ~ fetch_sub(d2)/p2                            : v1 == p1 && d2 == 0
  swap(v1)/p1 ~ cas(o2, n2)/ok2                             : (!ok2 && o2 != v1 && o2 != p1)
                                                              || (v1 == p1 && (!ok2 || o2 == n2))
  swap(v1)/p1 ~ cas_cur(o2, n2)/(ok2, cur2)                 : v1 == p1 && (!ok2 || o2 == n2)
  swap(v1)/p1 ~ fetch_max(v2)/p2                            : v1 == p1 && p2 >= v2
  swap(v1)/p1 ~ max(v2)                                     : v2 == MIN
  fetch_add(d1)/p1 ~ fetch_add(d2)/p2                       : d1 == 0 && d2 == 0
  fetch_add(d1)/p1 ~ add(d2)                                : d2 == 0
  fetch_add(d1)/p1 ~ fetch_sub(d2)/p2                       : d1 == 0 && d2 == 0
  fetch_add(d1)/p1 ~ cas(o2, n2)/ok2                        : d1 == 0 && (!ok2 || o2 == n2)
  fetch_add(d1)/p1 ~ cas_cur(o2, n2)/(ok2, cur2)            : d1 == 0 && (!ok2 || o2 == n2)
  fetch_add(d1)/p1 ~ fetch_max(v2)/p2                       : d1 == 0 && p2 >= v2
  fetch_add(d1)/p1 ~ max(v2)                                : v2 == MIN
  add(d1) ~ fetch_sub(d2)/p2                                : d1 == 0
  add(d1) ~ cas(o2, n2)/ok2                                 : d1 == 0
  add(d1) ~ cas_cur(o2, n2)/(ok2, cur2)                     : d1 == 0
  add(d1) ~ fetch_max(v2)/p2                                : d1 == 0
  add(d1) ~ max(v2)                                         : d1 == 0 || v2 == MIN
  fetch_sub(d1)/p1 ~ fetch_sub(d2)/p2                       : d1 == 0 && d2 == 0
  fetch_sub(d1)/p1 ~ cas(o2, n2)/ok2                        : d1 == 0 && (!ok2 || o2 == n2)
  fetch_sub(d1)/p1 ~ cas_cur(o2, n2)/(ok2, cur2)            : d1 == 0 && (!ok2 || o2 == n2)
  fetch_sub(d1)/p1 ~ fetch_max(v2)/p2                       : d1 == 0 && p2 >= v2
  fetch_sub(d1)/p1 ~ max(v2)                                : v2 == MIN
  cas(o1, n1)/ok1 ~ cas(o2, n2)/ok2                         : (!ok1 || o1 == n1 || (!ok2 && o2 != o1 && o2 != n1))
                                                              && (!ok2 || o2 == n2 || (!ok1 && o1 != o2 && o1 != n2))
  cas(o1, n1)/ok1 ~ cas_cur(o2, n2)/(ok2, cur2)             : (!ok1 || o1 == n1)
                                                              && (!ok2 || o2 == n2 || (!ok1 && o1 != o2 && o1 != n2))
  cas(o1, n1)/ok1 ~ fetch_max(v2)/p2                        : (!ok1 || o1 == n1)
                                                              && (p2 >= v2 || (!ok1 && o1 != p2 && o1 != v2))
  cas(o1, n1)/ok1 ~ max(v2)                                 : v2 == MIN
  cas_cur(o1, n1)/(ok1, cur1) ~ cas_cur(o2, n2)/(ok2, cur2) : (!ok1 || o1 == n1) && (!ok2 || o2 == n2)
  cas_cur(o1, n1)/(ok1, cur1) ~ fetch_max(v2)/p2            : (!ok1 || o1 == n1) && p2 >= v2
  cas_cur(o1, n1)/(ok1, cur1) ~ max(v2)                     : v2 == MIN
  fetch_max(v1)/p1 ~ fetch_max(v2)/p2                       : p1 >= v1 && p2 >= v2
  fetch_max(v1)/p1 ~ max(v2)                                : v2 == MIN
  load ~ load, add ~ add, max ~ max : true
  load ~ store, store ~ store, store ~ swap, store ~ fetch_add, store ~ fetch_sub, store ~ cas,
    store ~ cas_cur, store ~ fetch_max : false
}
