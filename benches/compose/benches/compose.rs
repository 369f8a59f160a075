//! How fast methods are found not to be atomic, and how fast they are found to be, next to
//! random tests of the same methods. Ratios are of one run on one machine. A random test
//! that finds nothing is cut off, and what is printed of it is then a lower bound.

#[cfg(commute)]
mod alone;
#[cfg(commute)]
mod arguments;
#[cfg(commute)]
mod correct;
#[cfg(commute)]
mod described;
#[cfg(commute)]
mod history;
#[cfg(commute)]
mod injection;
#[cfg(commute)]
mod options;
#[cfg(commute)]
mod ours;
#[cfg(commute)]
mod random;
#[cfg(commute)]
mod rivals;
#[cfg(commute)]
mod rows;
#[cfg(commute)]
mod script;
#[cfg(commute)]
mod stepped;
#[cfg(commute)]
mod threads;
#[cfg(commute)]
mod violations;
#[cfg(commute)]
mod worlds;

#[cfg(commute)]
fn main() {
    let options = options::from_command_line();
    // Some methods panic when they go wrong, which is a result like any other.
    std::panic::set_hook(Box::new(|_| {}));
    violations::print(&options);
    correct::print(&options);
    rivals::print(&options);
}

/// Without our flag there is nothing to measure.
#[cfg(not(commute))]
fn main() {
    println!("RUSTFLAGS=\"--cfg commute\" cargo bench -p commute-compose-bench");
}
