# A value that is set once: a promise and its future, a one-shot channel, a OnceLock.
#
# `complete` returns whether it set the value, `get` waits for it, `poll` returns nil until
# there is one.

type future {
  model future
  orders complete(v)/ok if ok -> get()/v | poll()/v if v != nil

  complete(v) -> ok  mutates ok
  get() -> v
  poll() -> v

  complete(v1)/ok1 ~ complete(v2)/ok2 : !ok1 && !ok2
  complete(v1)/ok1 ~ get()/v2         : !ok1
  complete(v1)/ok1 ~ poll()/v2        : !ok1 && v2 != nil
  get ~ get, get ~ poll, poll ~ poll : true
}
