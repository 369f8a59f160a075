# Rust's std::sync::mpsc: many senders, one receiver.
#
# `send` returns whether there is still a receiver; `close` is the end of the receiver,
# `disconnect` the end of the last sender. `recv` waits, and returns nil when there is no
# message and no sender; `try_recv` returns 'empty' or 'closed' where it has no message.
#
# The order in which messages of different senders arrive is nobody's promise, so the
# messages are a bag, and two `send` commute; `channel` is for those who rely on it.
# A `send` comes before the receive of its message. Messages of one sender stay in order
# (`fifo`): where several senders have sent an equal message, the receive comes after all of
# them. The ends are owned:
# `close` comes after all receives and `disconnect` after all `send`, whoever had the
# receiver or a sender before, because nobody can use what was dropped. Sending to a
# receiver that is gone is an order violation, hence `order` for send and close.
#
# Conflicts that are no race, because this is what a channel is for:
# - `send` and a receive that got an equal message: the receive comes after its own.
# - `send`, or `disconnect`, and a `try_recv` that returned 'empty', if something else is
#   received later: whoever looks again has decided nothing. The last look is a race.
#
# Surprising:
# - Two receives commute: from a bag either message could have come first.
# - A successful `send` commutes with `recv()/nil`, because the two never meet: nil says
#   that there is no sender.

type mpsc {
  model mpsc
  orders send(v)/ok if ok
    -> recv()/v if v != nil | try_recv()/v if v != 'empty' && v != 'closed'  fifo
  orders close()/w if w | disconnect() -> recv()/nil | try_recv()/'closed'
  orders recv() | try_recv() -> close()
  orders send(v) -> disconnect()

  send(v) -> ok  mutates ok
  recv() -> r  mutates r != nil
  try_recv() -> r  mutates r != 'empty' && r != 'closed'
  close() -> w  mutates w
  disconnect()  mutates true

  send(v1)/ok1 ~ recv()/r2          : !ok1 || r2 == nil || v1 != r2
  send(v1)/ok1 ~ try_recv()/r2      : !ok1 || (r2 != 'empty' && v1 != r2)
  order send(v1)/ok1 ~ close()/w2   : !w2
  recv()/r1 ~ recv()/r2             : (r1 != nil && r2 != nil) || (r1 == nil && r2 == nil)
  recv()/r1 ~ try_recv()/r2         : (r1 != nil && r2 != 'empty' && r2 != 'closed')
                                      || (r1 == nil && (r2 == 'empty' || r2 == 'closed'))
  recv()/r1 ~ disconnect()          : r1 != nil
  try_recv()/r1 ~ try_recv()/r2     : (r1 != 'empty' && r1 != 'closed' && r2 != 'empty' && r2 != 'closed')
                                      || ((r1 == 'empty' || r1 == 'closed') && (r2 == 'empty' || r2 == 'closed'))
  try_recv()/r1 ~ disconnect()      : r1 != 'empty' && r1 != 'closed'
  close()/w1 ~ close()/w2           : !w1 && !w2
  send ~ send, close ~ disconnect, disconnect ~ disconnect : true
  send ~ disconnect, recv ~ close, try_recv ~ close : false
}
