//! once lock get set.
//@ finding: Node::id
use std::sync::OnceLock;
pub struct Node {
    id: OnceLock<u64>,
}
fn random() -> u64 {
    std::process::id().into()
}
impl Node {
    #[cfg(not(fixed))]
    pub fn id(&self) -> u64 {
        if let Some(id) = self.id.get() {
            return *id;
        }
        let id = random();
        self.id.set(id).expect("not set yet");
        id
    }
    #[cfg(fixed)]
    pub fn id(&self) -> u64 {
        *self.id.get_or_init(random)
    }
}
