# What docs/specifications.md ends with.

type phonebook {
  model map

  put(name, number) -> before  mutates number != before
  get(name) -> number
  size() -> n

  put(n1, x1)/b1 ~ put(n2, x2)/b2 : n1 != n2 || (x1 == b1 && x2 == b2)
  put(n1, x1)/b1 ~ get(n2)/x2     : n1 != n2 || x1 == b1
  put(n1, x1)/b1 ~ size()/n2      : (x1 == nil) == (b1 == nil)
  get ~ get, get ~ size, size ~ size : true
}
