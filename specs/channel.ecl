# An unbounded channel with one end that can be closed; Go's channels and Rust's mpsc.
#
# `send` returns whether the channel was still open, `close` whether this call closed it.
# `recv` waits, and returns nil when the channel is closed and empty; `try_recv` returns
# 'empty' or 'closed' where it has no message.
#
# A `send` comes before the receive of its message, so a message that was received is no
# race, nor is a look that found nothing if the thread looks again. Sending to a closed
# channel is an order violation (thesis, Figure 3.2), hence `order` for send and close.
#
# Surprising:
# - `send` commutes with a `recv` that returned some other value: it took an older message.
#   For repeated values only the state could tell.
# - Receiving a message commutes with `close`, because a closed channel can be emptied.

type channel {
  model channel
  orders send(v)/ok if ok
    -> recv()/v if v != nil | try_recv()/v if v != 'empty' && v != 'closed'  counting
  orders close()/w if w -> recv()/nil | try_recv()/'closed'

  send(v) -> ok  mutates ok
  recv() -> r  mutates r != nil
  try_recv() -> r  mutates r != 'empty' && r != 'closed'
  close() -> w  mutates w
  is_closed() -> c
  len() -> n

  send(v1)/ok1 ~ send(v2)/ok2     : !ok1 && !ok2
  send(v1)/ok1 ~ recv()/r2        : !ok1 || (r2 != nil && v1 != r2)
  send(v1)/ok1 ~ try_recv()/r2    : !ok1 || (r2 != 'empty' && r2 != 'closed' && v1 != r2)
  order send(v1)/ok1 ~ close()/w2 : !ok1 && !w2
  send(v1)/ok1 ~ len()/n2         : !ok1
  recv()/r1 ~ recv()/r2           : r1 == nil && r2 == nil
  recv()/r1 ~ try_recv()/r2       : r1 == nil && r2 == 'closed'
  recv()/r1 ~ close()/w2          : !w2 || r1 != nil
  recv()/r1 ~ len()/n2            : r1 == nil
  try_recv()/r1 ~ try_recv()/r2   : (r1 == 'empty' || r1 == 'closed') && (r2 == 'empty' || r2 == 'closed')
  try_recv()/r1 ~ close()/w2      : !w2 || (r1 != 'empty' && r1 != 'closed')
  try_recv()/r1 ~ len()/n2        : r1 == 'empty' || r1 == 'closed'
  close()/w1 ~ close()/w2         : !w1 && !w2
  close()/w1 ~ is_closed()/c2     : !w1
  send ~ is_closed, recv ~ is_closed, try_recv ~ is_closed, close ~ len, is_closed ~ is_closed,
    is_closed ~ len, len ~ len : true
}
