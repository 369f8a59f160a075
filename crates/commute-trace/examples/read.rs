use commute_trace::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "gen" {
        let shape: Shape = args[2].parse().unwrap();
        let mut recipe = Recipe::new(shape, 3_000_000);
        recipe.conflicts = if shape == Shape::Dictionary {
            0.01
        } else {
            0.0
        };
        let mut g = Generator::new(&recipe).unwrap();
        let mut w = StdWriter::new(std::fs::File::create(format!("/tmp/tr-{shape}.std")).unwrap());
        let mut c =
            CtrWriter::new(std::fs::File::create(format!("/tmp/tr-{shape}.ctr")).unwrap()).unwrap();
        let mut b = Vec::new();
        while g.read_batch(&mut b) > 0 {
            for e in &b {
                w.write(e, g.names()).unwrap();
                c.write(e, g.names()).unwrap();
            }
        }
        w.finish().unwrap();
        c.finish().unwrap();
        return;
    }
    let mut best = f64::MAX;
    for _ in 0..args[2].parse::<usize>().unwrap() {
        let t = cpu();
        let mut r = TraceReader::open(&args[1], Options::default()).unwrap();
        let mut b = Vec::new();
        while r.read_batch(&mut b).unwrap() > 0 {}
        best = best.min((cpu() - t) / r.events_read() as f64);
    }
    println!("{} {best:.1}", args[1]);
}

fn cpu() -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap()
}
