# Disjoint sets, fine (thesis section 4.5). The representative of a set is its least element.
# `union` returns whether it changed anything; `union_` is the same without looking.
#
# `app(state, x)` is the representative of x. Conditions with `state` are exact where the
# state is known, that is in exploration; for recorded traces these parts count as false
# and what remains is a condition on arguments and results. `union_find_coarse` stops there.
#
# Surprising:
# - Two unions commute if both changed something or neither did.
# - `find` commutes with itself although path compression writes: nobody can see it.

type union_find {
  model union_find

  union(a, b) -> ch  mutates ch
  union_(a, b)  mutates a != b
  same(a, b) -> r
  find(x) -> r
  components() -> n

  union(a1, b1)/ch1 ~ union(a2, b2)/ch2 :
    (ch1 && ch2) || (!ch1 && !ch2) || a1 == b1 || a2 == b2
    || (!ch1 && app(state, a1) == app(state, b1))
    || (!ch2 && app(state, a2) == app(state, b2))

  # Joining two sets disturbs what joins, or asks about, the same two sets.
  union(a1, b1)/ch1 ~ union_(a2, b2) :
    a1 == b1 || a2 == b2
    || (!ch1 && app(state, a1) == app(state, b1))
    || app(state, a2) == app(state, b2)
    || ((app(state, a1) != app(state, a2) || app(state, b1) != app(state, b2))
      && (app(state, a1) != app(state, b2) || app(state, b1) != app(state, a2)))
  union(a1, b1)/ch1 ~ same(a2, b2)/r2 :
    !ch1 || a2 == b2
    || ((app(state, a1) != app(state, a2) || app(state, b1) != app(state, b2))
      && (app(state, a1) != app(state, b2) || app(state, b1) != app(state, a2)))
  union_(a1, b1) ~ same(a2, b2)/r2 :
    a1 == b1 || a2 == b2
    || app(state, a1) == app(state, b1)
    || ((app(state, a1) != app(state, a2) || app(state, b1) != app(state, b2))
      && (app(state, a1) != app(state, b2) || app(state, b1) != app(state, a2)))

  # The set with the larger representative loses it.
  union(a1, b1)/ch1 ~ find(x2)/r2 :
    !ch1
    || app(state, x2) < app(state, a1) || app(state, x2) < app(state, b1)
    || (app(state, x2) > app(state, a1) && app(state, x2) > app(state, b1))
    || app(state, a1) == app(state, b1)
  union_(a1, b1) ~ find(x2)/r2 :
    a1 == b1
    || app(state, x2) < app(state, a1) || app(state, x2) < app(state, b1)
    || (app(state, x2) > app(state, a1) && app(state, x2) > app(state, b1))
    || app(state, a1) == app(state, b1)

  union(a1, b1)/ch1 ~ components()/n2 : !ch1
  union_(a1, b1) ~ components()/n2 : a1 == b1 || app(state, a1) == app(state, b1)
  union_ ~ union_, same ~ same, same ~ find, same ~ components, find ~ find, find ~ components,
    components ~ components : true
}
