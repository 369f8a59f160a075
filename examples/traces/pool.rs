//! Figure 1 of "Commutativity race detection": connect to many hosts at once.
fn main() {
    let o = Arc::new(Dictionary::new());
    let hosts = read_list_of_hosts();
    let mut threads = Vec::new();

    for host in hosts {
        let o = Arc::clone(&o);
        threads.push(thread::spawn(move || {
            // Two equal hosts in the list, two connections, one of them lost.
            let connection = create_connection(&host);
            o.put(host, connection);
        }));
    }
    threads.into_iter().for_each(|t| t.join().unwrap());
    println!("{} connections established", o.size());
}
