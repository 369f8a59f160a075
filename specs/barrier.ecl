# A barrier for so many parties: a thread that arrives waits until all have arrived.
#
# A thread calls `arrive` and, when it goes on, `leave`. Every `leave` comes after all
# `arrive` of its round (`orders barrier`). Without the number of parties in the trace
# (`new(b:barrier(2))`), it comes after all that can be of its round.

type barrier(parties) {
  model barrier
  orders barrier

  arrive()  mutates true
  leave()  mutates true

  arrive ~ arrive, leave ~ leave : true
  arrive ~ leave : false
}
