# A variable: what plain reads and writes are.
#
# Surprising: a write of the value that was already there does not commute with a read
# either, because the action does not show what was there.

type register {
  model register

  read() -> v
  write(v)  mutates true

  read ~ read : true
  read ~ write, write ~ write : false
}
