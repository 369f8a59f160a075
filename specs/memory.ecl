# Memory cells that are allocated, used and freed (thesis, Figure 3.2).
#
# Using a cell and freeing it do not commute, and no value flows between the two: `order`,
# so that a use that could come after the free is reported even under a lock. Freeing twice
# is never possible in the model; it is listed for the same reason.

type memory {
  model memory

  alloc(x)  mutates true
  read(x) -> v
  write(x, v)  mutates true
  free(x)  mutates true

  alloc(x1) ~ alloc(x2)          : x1 != x2
  alloc(x1) ~ read(x2)/v2        : x1 != x2
  alloc(x1) ~ write(x2, v2)      : x1 != x2
  alloc(x1) ~ free(x2)           : x1 != x2
  read(x1)/v1 ~ write(x2, v2)    : x1 != x2
  order read(x1)/v1 ~ free(x2)   : x1 != x2
  write(x1, v1) ~ write(x2, v2)  : x1 != x2
  order write(x1, v1) ~ free(x2) : x1 != x2
  order free(x1) ~ free(x2)      : x1 != x2
  read ~ read : true
}
