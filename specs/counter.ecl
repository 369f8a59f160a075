# A counter whose updates return nothing (the `Counter` of thesis section 4.5).
#
# Surprising: all updates commute, whatever their order; only `read` can tell them apart.

type counter {
  model counter

  inc()  mutates true
  dec()  mutates true
  add(d)  mutates d != 0
  read() -> n

  add(d1) ~ read()/n2 : d1 == 0
  inc ~ inc, inc ~ dec, inc ~ add, dec ~ dec, dec ~ add, add ~ add, read ~ read : true
  inc ~ read, dec ~ read : false
}
