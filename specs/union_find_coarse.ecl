# Disjoint sets, coarse (thesis section 4.5): only whether a `union` changed anything counts,
# neither its arguments nor the state. Sound, and much simpler than `union_find`; exploring
# with it takes more executions.

type union_find_coarse {
  model union_find

  union(a, b) -> ch  mutates ch
  union_(a, b)  mutates a != b
  same(a, b) -> r
  find(x) -> r
  components() -> n

  union(a1, b1)/ch1 ~ union(a2, b2)/ch2 : (ch1 && ch2) || (!ch1 && !ch2)
  union(a1, b1)/ch1 ~ same(a2, b2)/r2   : !ch1
  union(a1, b1)/ch1 ~ find(x2)/r2       : !ch1
  union(a1, b1)/ch1 ~ components()/n2   : !ch1
  union_ ~ union_, same ~ same, same ~ find, same ~ components, find ~ find, find ~ components,
    components ~ components : true
  union ~ union_, union_ ~ same, union_ ~ find, union_ ~ components : false
}
