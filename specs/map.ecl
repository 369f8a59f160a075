# Rust's concurrent maps (a locked HashMap, DashMap, scc, papaya, flurry, SkipMap).
#
# nil is absence: `get(k)/nil` found nothing, `cas(k, nil, v)` inserts. Methods that end in
# `_` are called without looking at the result. Shadow results, which a recorder sees even
# if the caller does not: the previous value of `insert_`, whether `or_insert` inserted (f),
# how many entries `clear` removed, which keys `retain` removed (x). `modify(k, f)` applies f
# to the value, if there is one, and returns the previous value.
#
# Surprising:
# - `remove_` and `clear_` commute with themselves and each other; `remove` and `clear`,
#   whose results are used, only if they removed nothing. A `clear` that removed nothing
#   does not commute with `clear_`: the `clear_` may be the reason.
# - contains_key, len, is_empty and try_insert observe presence, not values: overwriting
#   an entry commutes with them, though not with get.
# - A failed `cas` or `remove_if` only says that the value differs from the expected one.
#   The exact condition is outside ECL; this one also denies some pairs that commute.
#
# Every method counts as one atomic step. That is not so everywhere: DashMap's len, is_empty,
# clear, retain and iteration go shard by shard; moka's or_insert is a get and an insert; an
# overwriting SkipMap::insert removes the key for a moment; evmap's reads lag behind.
# scc's insert does not overwrite: it is `try_insert`.

type map {
  model map

  get(k) -> v
  contains_key(k) -> r
  insert(k, v) -> p  mutates v != p
  insert_(k, v) -> p  mutates v != p
  remove(k) -> p  mutates p != nil
  remove_(k)  mutates true
  or_insert(k, v) -> (r, f)  mutates f
  try_insert(k, v) -> ok  mutates ok
  cas(k, o, n) -> ok  mutates ok && o != n
  remove_if(k, v) -> ok  mutates ok
  modify(k, f) -> p  mutates app(f, p) != p
  len() -> n
  is_empty() -> e
  clear() -> n  mutates n != 0
  clear_()  mutates true
  snapshot() -> s
  retain(f) -> x  mutates x != ()

  get(k1)/v1 ~ insert(k2, v2)/p2                          : k1 != k2 || v2 == p2
  get(k1)/v1 ~ insert_(k2, v2)/p2                         : k1 != k2 || v2 == p2
  get(k1)/v1 ~ remove(k2)/p2                              : k1 != k2 || p2 == nil
  get(k1)/v1 ~ remove_(k2)                                : k1 != k2
  get(k1)/v1 ~ or_insert(k2, v2)/(r2, f2)                 : k1 != k2 || !f2
  get(k1)/v1 ~ try_insert(k2, v2)/ok2                     : k1 != k2 || !ok2
  get(k1)/v1 ~ cas(k2, o2, n2)/ok2                        : k1 != k2 || (!ok2 || o2 == n2)
  get(k1)/v1 ~ remove_if(k2, v2)/ok2                      : k1 != k2 || !ok2
  get(k1)/v1 ~ modify(k2, f2)/p2                          : k1 != k2 || app(f2, p2) == p2
  get(k1)/v1 ~ clear()/n2                                 : n2 == 0
  get(k1)/v1 ~ retain(f2)/x2                              : !has(x2, k1)
  contains_key(k1)/r1 ~ insert(k2, v2)/p2                 : k1 != k2 || p2 != nil
  contains_key(k1)/r1 ~ insert_(k2, v2)/p2                : k1 != k2 || p2 != nil
  contains_key(k1)/r1 ~ remove(k2)/p2                     : k1 != k2 || p2 == nil
  contains_key(k1)/r1 ~ remove_(k2)                       : k1 != k2
  contains_key(k1)/r1 ~ or_insert(k2, v2)/(r2, f2)        : k1 != k2 || !f2
  contains_key(k1)/r1 ~ try_insert(k2, v2)/ok2            : k1 != k2 || !ok2
  contains_key(k1)/r1 ~ cas(k2, o2, n2)/ok2               : k1 != k2 || (!ok2 || (o2 == nil) == (n2 == nil))
  contains_key(k1)/r1 ~ remove_if(k2, v2)/ok2             : k1 != k2 || !ok2
  contains_key(k1)/r1 ~ clear()/n2                        : n2 == 0
  contains_key(k1)/r1 ~ retain(f2)/x2                     : !has(x2, k1)
  insert(k1, v1)/p1 ~ insert(k2, v2)/p2                   : k1 != k2 || (v1 == p1 && v2 == p2)
  insert(k1, v1)/p1 ~ insert_(k2, v2)/p2                  : k1 != k2 || (v1 == p1 && v2 == p2)
  insert(k1, v1)/p1 ~ remove(k2)/p2                       : k1 != k2 || (v1 == p1 && p2 == nil)
  insert(k1, v1)/p1 ~ remove_(k2)                         : k1 != k2
  insert(k1, v1)/p1 ~ or_insert(k2, v2)/(r2, f2)          : k1 != k2 || (v1 == p1 && !f2)
  insert(k1, v1)/p1 ~ try_insert(k2, v2)/ok2              : k1 != k2 || (p1 != nil && !ok2)
  insert(k1, v1)/p1 ~ cas(k2, o2, n2)/ok2                 : k1 != k2 || (v1 == p1 && (!ok2 || o2 == n2))
  insert(k1, v1)/p1 ~ remove_if(k2, v2)/ok2               : k1 != k2 || (v1 == p1 && !ok2)
  insert(k1, v1)/p1 ~ modify(k2, f2)/p2                   : k1 != k2 || (v1 == p1 && app(f2, p2) == p2)
  insert(k1, v1)/p1 ~ len()/n2                            : p1 != nil
  insert(k1, v1)/p1 ~ is_empty()/e2                       : p1 != nil
  insert(k1, v1)/p1 ~ clear()/n2                          : n2 == 0 && v1 == p1
  insert(k1, v1)/p1 ~ snapshot()/s2                       : v1 == p1
  insert(k1, v1)/p1 ~ retain(f2)/x2                       : x2 == () && v1 == p1
  insert_(k1, v1)/p1 ~ insert_(k2, v2)/p2                 : k1 != k2 || (v1 == p1 && v2 == p2)
  insert_(k1, v1)/p1 ~ remove(k2)/p2                      : k1 != k2 || (v1 == p1 && p2 == nil)
  insert_(k1, v1)/p1 ~ remove_(k2)                        : k1 != k2
  insert_(k1, v1)/p1 ~ or_insert(k2, v2)/(r2, f2)         : k1 != k2 || (v1 == p1 && !f2)
  insert_(k1, v1)/p1 ~ try_insert(k2, v2)/ok2             : k1 != k2 || (p1 != nil && !ok2)
  insert_(k1, v1)/p1 ~ cas(k2, o2, n2)/ok2                : k1 != k2 || (v1 == p1 && (!ok2 || o2 == n2))
  insert_(k1, v1)/p1 ~ remove_if(k2, v2)/ok2              : k1 != k2 || (v1 == p1 && !ok2)
  insert_(k1, v1)/p1 ~ modify(k2, f2)/p2                  : k1 != k2 || (v1 == p1 && app(f2, p2) == p2)
  insert_(k1, v1)/p1 ~ len()/n2                           : p1 != nil
  insert_(k1, v1)/p1 ~ is_empty()/e2                      : p1 != nil
  insert_(k1, v1)/p1 ~ clear()/n2                         : n2 == 0 && v1 == p1
  insert_(k1, v1)/p1 ~ snapshot()/s2                      : v1 == p1
  insert_(k1, v1)/p1 ~ retain(f2)/x2                      : x2 == () && v1 == p1
  remove(k1)/p1 ~ remove(k2)/p2                           : k1 != k2 || (p1 == nil && p2 == nil)
  remove(k1)/p1 ~ remove_(k2)                             : k1 != k2
  remove(k1)/p1 ~ or_insert(k2, v2)/(r2, f2)              : k1 != k2 || (p1 == nil && !f2)
  remove(k1)/p1 ~ try_insert(k2, v2)/ok2                  : k1 != k2 || (p1 == nil && !ok2)
  remove(k1)/p1 ~ cas(k2, o2, n2)/ok2                     : k1 != k2 || (p1 == nil && (!ok2 || o2 == n2))
  remove(k1)/p1 ~ remove_if(k2, v2)/ok2                   : k1 != k2 || (p1 == nil && !ok2)
  remove(k1)/p1 ~ modify(k2, f2)/p2                       : k1 != k2 || (p1 == nil && app(f2, p2) == p2)
  remove(k1)/p1 ~ len()/n2                                : p1 == nil
  remove(k1)/p1 ~ is_empty()/e2                           : p1 == nil
  remove(k1)/p1 ~ clear()/n2                              : n2 == 0 && p1 == nil
  remove(k1)/p1 ~ snapshot()/s2                           : p1 == nil
  remove(k1)/p1 ~ retain(f2)/x2                           : x2 == () && p1 == nil
  remove_(k1) ~ or_insert(k2, v2)/(r2, f2)                : k1 != k2
  remove_(k1) ~ try_insert(k2, v2)/ok2                    : k1 != k2
  remove_(k1) ~ cas(k2, o2, n2)/ok2                       : k1 != k2
  remove_(k1) ~ remove_if(k2, v2)/ok2                     : k1 != k2
  remove_(k1) ~ modify(k2, f2)/p2                         : k1 != k2
  or_insert(k1, v1)/(r1, f1) ~ or_insert(k2, v2)/(r2, f2) : k1 != k2 || (!f1 && !f2)
  or_insert(k1, v1)/(r1, f1) ~ try_insert(k2, v2)/ok2     : k1 != k2 || (!f1 && !ok2)
  or_insert(k1, v1)/(r1, f1) ~ cas(k2, o2, n2)/ok2        : k1 != k2 || (!f1 && (!ok2 || o2 == n2))
  or_insert(k1, v1)/(r1, f1) ~ remove_if(k2, v2)/ok2      : k1 != k2 || (!f1 && !ok2)
  or_insert(k1, v1)/(r1, f1) ~ modify(k2, f2)/p2          : k1 != k2 || (!f1 && app(f2, p2) == p2)
  or_insert(k1, v1)/(r1, f1) ~ len()/n2                   : !f1
  or_insert(k1, v1)/(r1, f1) ~ is_empty()/e2              : !f1
  or_insert(k1, v1)/(r1, f1) ~ clear()/n2                 : n2 == 0 && !f1
  or_insert(k1, v1)/(r1, f1) ~ snapshot()/s2              : !f1
  or_insert(k1, v1)/(r1, f1) ~ retain(f2)/x2              : x2 == () && !f1
  try_insert(k1, v1)/ok1 ~ try_insert(k2, v2)/ok2         : k1 != k2 || (!ok1 && !ok2)
  try_insert(k1, v1)/ok1 ~ cas(k2, o2, n2)/ok2            : k1 != k2 || (!ok1 && (!ok2 || (o2 == nil) == (n2 == nil)))
  try_insert(k1, v1)/ok1 ~ remove_if(k2, v2)/ok2          : k1 != k2 || (!ok1 && !ok2)
  try_insert(k1, v1)/ok1 ~ modify(k2, f2)/p2              : k1 != k2 || !ok1
  try_insert(k1, v1)/ok1 ~ len()/n2                       : !ok1
  try_insert(k1, v1)/ok1 ~ is_empty()/e2                  : !ok1
  try_insert(k1, v1)/ok1 ~ clear()/n2                     : n2 == 0 && !ok1
  try_insert(k1, v1)/ok1 ~ snapshot()/s2                  : !ok1
  try_insert(k1, v1)/ok1 ~ retain(f2)/x2                  : x2 == () && !ok1
  cas(k1, o1, n1)/ok1 ~ cas(k2, o2, n2)/ok2               : k1 != k2 || ((!ok1 || o1 == n1) && (!ok2 || o2 == n2))
  cas(k1, o1, n1)/ok1 ~ remove_if(k2, v2)/ok2             : k1 != k2 || ((!ok1 || o1 == n1) && !ok2)
  cas(k1, o1, n1)/ok1 ~ modify(k2, f2)/p2                 : k1 != k2 || ((!ok1 || o1 == n1) && app(f2, p2) == p2)
  cas(k1, o1, n1)/ok1 ~ len()/n2                          : !ok1 || (o1 == nil) == (n1 == nil)
  cas(k1, o1, n1)/ok1 ~ is_empty()/e2                     : !ok1 || (o1 == nil) == (n1 == nil)
  cas(k1, o1, n1)/ok1 ~ clear()/n2                        : n2 == 0 && (!ok1 || o1 == n1)
  cas(k1, o1, n1)/ok1 ~ snapshot()/s2                     : !ok1 || o1 == n1
  cas(k1, o1, n1)/ok1 ~ retain(f2)/x2                     : x2 == () && (!ok1 || o1 == n1)
  remove_if(k1, v1)/ok1 ~ remove_if(k2, v2)/ok2           : k1 != k2 || (!ok1 && !ok2)
  remove_if(k1, v1)/ok1 ~ modify(k2, f2)/p2               : k1 != k2 || (!ok1 && app(f2, p2) == p2)
  remove_if(k1, v1)/ok1 ~ len()/n2                        : !ok1
  remove_if(k1, v1)/ok1 ~ is_empty()/e2                   : !ok1
  remove_if(k1, v1)/ok1 ~ clear()/n2                      : n2 == 0 && !ok1
  remove_if(k1, v1)/ok1 ~ snapshot()/s2                   : !ok1
  remove_if(k1, v1)/ok1 ~ retain(f2)/x2                   : x2 == () && !ok1
  modify(k1, f1)/p1 ~ modify(k2, f2)/p2                   : k1 != k2 || (app(f1, p1) == p1 && app(f2, p2) == p2)
  modify(k1, f1)/p1 ~ clear()/n2                          : n2 == 0 && app(f1, p1) == p1
  modify(k1, f1)/p1 ~ snapshot()/s2                       : app(f1, p1) == p1
  modify(k1, f1)/p1 ~ retain(f2)/x2                       : x2 == () && app(f1, p1) == p1
  len()/n1 ~ clear()/n2                                   : n2 == 0
  len()/n1 ~ retain(f2)/x2                                : x2 == ()
  is_empty()/e1 ~ clear()/n2                              : n2 == 0
  is_empty()/e1 ~ retain(f2)/x2                           : x2 == ()
  clear()/n1 ~ clear()/n2                                 : n1 == 0 && n2 == 0
  clear()/n1 ~ snapshot()/s2                              : n1 == 0
  clear()/n1 ~ retain(f2)/x2                              : n1 == 0 && x2 == ()
  snapshot()/s1 ~ retain(f2)/x2                           : x2 == ()
  retain(f1)/x1 ~ retain(f2)/x2                           : x1 == () && x2 == ()
  get ~ get, get ~ contains_key, get ~ len, get ~ is_empty, get ~ snapshot,
    contains_key ~ contains_key, contains_key ~ modify, contains_key ~ len, contains_key ~ is_empty,
    contains_key ~ snapshot, remove_ ~ remove_, remove_ ~ clear_, modify ~ len, modify ~ is_empty,
    len ~ len, len ~ is_empty, len ~ snapshot, is_empty ~ is_empty, is_empty ~ snapshot,
    clear_ ~ clear_, snapshot ~ snapshot : true
  get ~ clear_, contains_key ~ clear_, insert ~ clear_, insert_ ~ clear_, remove ~ clear_,
    remove_ ~ len, remove_ ~ is_empty, remove_ ~ clear, remove_ ~ snapshot, remove_ ~ retain,
    or_insert ~ clear_, try_insert ~ clear_, cas ~ clear_, remove_if ~ clear_, modify ~ clear_,
    len ~ clear_, is_empty ~ clear_, clear ~ clear_, clear_ ~ snapshot, clear_ ~ retain : false
}
