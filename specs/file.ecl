# A file handle, of which only the life is described (thesis, Figure 3.2): reads and writes
# may come in any order as far as the handle is concerned, contents are not modelled.
#
# Surprising: the figure prints `true` for close against read and write. The text around it
# needs the opposite, and so does the model: a closed handle can be neither read nor
# written. These are order-only conflicts. Closing twice is one as well.

type file {
  model file

  read()
  write()
  close()  mutates true

  read ~ read, read ~ write, write ~ write : true
  order read ~ close, write ~ close, close ~ close : false
}
