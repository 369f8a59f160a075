//! What files in `suppressions` use of metrics.
pub fn gauge(name: &str, value: u64) -> bool {
    name.len() as u64 > value
}
