# A cancellation context, as Go's context.Context (thesis, Figure 3.2). `Err` returns nil
# until `cancel` was called.
#
# Whoever looks at `Err` must know on which side of `cancel` it stands: an order-only
# conflict, no value flows.

type context {
  model context
  orders cancel() -> Err()/e if e != nil

  cancel()  mutates true
  Err() -> e

  cancel ~ cancel, Err ~ Err : true
  order cancel ~ Err : false
}
