//! `cargo run -p commute-moth --example tables`: the tables of MoTH's paper,
//! with the paper's numbers and ours.
#![allow(clippy::print_stdout, reason = "it is its purpose")]

mod rows;

fn main() {
    let rows = rows::rows();
    if rows.iter().any(|row| row.java.is_none()) {
        println!("javac is not installed: the programs in Java are left out\n");
    }
    for algorithm in 0..rows::judge::WAYS.len() {
        for number in [1, 2, 0] {
            println!("{}", rows::table(&rows, number, algorithm));
        }
    }
}
