//! A virtual machine monitor chooses names for devices that have none: the
//! first that the device tree does not have. The node is inserted only when
//! the device is built; two that are plugged in at once get the same name.
//@ finding: DeviceManager::add_disk
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

#[derive(Default)]
pub struct DeviceNode {
    children: Vec<String>,
}

#[derive(Default)]
pub struct DeviceTree {
    nodes: HashMap<String, DeviceNode>,
    counter: usize,
}

pub struct Disk {
    pub name: String,
    pub path: String,
}

#[derive(Clone, Default)]
pub struct DeviceManager {
    tree: Arc<Mutex<DeviceTree>>,
}

impl DeviceManager {
    fn next_name(&self, prefix: &str) -> Result<String, String> {
        let mut tree = self.tree.lock().unwrap();
        for _ in 0..1000 {
            let name = format!("{prefix}{}", tree.counter);
            if !tree.nodes.contains_key(&name) {
                #[cfg(fixed)]
                tree.nodes.insert(name.clone(), DeviceNode::default());
                return Ok(name);
            }
            tree.counter += 1;
        }
        Err("no name is free".to_owned())
    }

    fn build(&self, name: &str, path: &str) -> Disk {
        Disk {
            name: name.to_owned(),
            path: path.to_owned(),
        }
    }

    pub fn add_disk(&self, path: &str) -> Result<Disk, String> {
        let name = self.next_name("_disk")?;
        let disk = self.build(&name, path);
        #[cfg(not(fixed))]
        self.tree
            .lock()
            .unwrap()
            .nodes
            .insert(name, DeviceNode::default());
        Ok(disk)
    }

    pub fn eject(&self, name: &str) {
        self.tree.lock().unwrap().nodes.remove(name);
    }
}
