// The program behind `logged.std`, in outline: `pool.rs`, which says what it does.
fn main() {
    let o = Arc::new(Dictionary::new());
    let mut threads = Vec::new();

    for host in read_list_of_hosts() {
        let o = Arc::clone(&o);
        threads.push(thread::spawn(move || {
            println!("connecting to {host}");
            let connection = create_connection(&host);
            o.put(host, connection);
            println!("connected");
        }));
    }
    threads.into_iter().for_each(|t| t.join().unwrap());
    println!("{} connections established", o.size());
}
