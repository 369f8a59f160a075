//! A program that records, for the tests of `commute run` and `commute record`:
//! the test itself, started again with a script in its environment.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use commute_record::Child;
use commute_trace::{CtrWriter, Options, TraceReader};
use signal_hook::consts::{SIGINT, SIGTERM};

/// Two threads that write to the same variable.
pub(crate) const RACE: &str = "T0|fork(T1)|a.rs:1;T0|w(x)|a.rs:2;T1|w(x)|a.rs:3";
/// Two that do not meet.
pub(crate) const CLEAN: &str =
    "T0|fork(T1)|a.rs:1;T1|w(x)|a.rs:3;T0|join(T1)|a.rs:4;T0|w(x)|a.rs:2";

/// The variable that holds the script.
const SCRIPT: &str = "COMMUTE_TEST_SCRIPT";

/// Does what the script says, if there is one. To be called by a test of the
/// name `the_program`, which is all that [`words`] runs.
///
/// A script may be in a file (`script FILE`). Steps are separated by `&`: `connect`, `events E;E;…`, `missed N`, `flush`, `end`,
/// `record` for two threads that the library records, `as USER SCRIPT` for a process of
/// another user with a script of one step, `say TEXT`,
/// `touch FILE`, `sleep MS`, `exit CODE`, `kill`, `catch` to live on when there is a
/// SIGINT or SIGTERM, `wait` for one that was caught, and `hello LINE` for one that
/// sends this line and nonsense.
pub(crate) fn act() {
    let Ok(mut script) = std::env::var(SCRIPT) else {
        return;
    };
    if let Some(file) = script.strip_prefix("script ") {
        script = std::fs::read_to_string(file).expect("a script");
    }
    let mut sending: Option<Sending> = None;
    let caught = Arc::new(AtomicBool::new(false));
    for step in script.split('&').map(str::trim) {
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        match word {
            "events" => sending.get_or_insert_with(Sending::connect).send(rest),
            "connect" => drop(sending.get_or_insert_with(Sending::connect)),
            "record" => record(),
            "as" => {
                let (user, script) = rest.split_once(' ').expect("a user and a script");
                let mut command = Command::new(std::env::current_exe().expect("this test"));
                let user = user.parse().expect("a number");
                command.args(&words()[1..]).env(SCRIPT, script);
                let status = command.uid(user).gid(user).status();
                assert!(status.expect("it runs").success());
            }
            "missed" => {
                let sending = sending.as_mut().expect("events");
                sending.writer.missed(rest.parse().expect("a number"));
            }
            "flush" => {
                let sending = sending.as_mut().expect("events");
                sending.writer.flush().expect("flushed");
            }
            "end" => {
                let sending = sending.take().expect("events");
                sending.writer.finish().expect("ended");
            }
            "hello" => {
                let path = std::env::var("COMMUTE_SOCKET").expect("a socket");
                let mut stream = UnixStream::connect(path).expect("connected");
                writeln!(stream, "{rest}").expect("written");
                // More than a socket holds.
                stream.write_all(&vec![b'x'; 1 << 20]).expect("written");
            }
            "say" => writeln!(std::io::stdout(), "{rest}").expect("said"),
            "touch" => drop(std::fs::File::create(rest).expect("made")),
            "sleep" => std::thread::sleep(Duration::from_millis(rest.parse().expect("a number"))),
            "catch" => {
                for signal in [SIGINT, SIGTERM] {
                    signal_hook::flag::register(signal, caught.clone()).expect("caught");
                }
            }
            "wait" => {
                // A test that fails leaves nobody who would send one.
                let started = std::time::Instant::now();
                while !caught.load(SeqCst) {
                    assert!(started.elapsed() < Duration::from_secs(180), "no signal");
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            "exit" => std::process::exit(rest.parse().expect("a number")),
            "kill" => {
                let me = rustix::process::getpid();
                rustix::process::kill_process(me, rustix::process::Signal::KILL).expect("killed");
            }
            _ => panic!("no such step: {step}"),
        }
    }
    std::process::exit(0);
}

/// Has the library record that a thread is forked, and joined.
fn record() {
    let child = Child::fork(Some("worker"), Location::caller());
    let inside = child.clone();
    let worker = std::thread::spawn(move || inside.start());
    worker.join().expect("it ends");
    child.join(Location::caller());
}

/// A trace that is being sent.
struct Sending {
    writer: CtrWriter<UnixStream>,
    text: String,
    sent: u64,
}

impl Sending {
    fn connect() -> Sending {
        let path = std::env::var("COMMUTE_SOCKET").expect("a socket");
        let mut stream = UnixStream::connect(path).expect("connected");
        let name = std::env::var("COMMUTE_TEST_NAME").unwrap_or_else(|_| "/opt/server".into());
        writeln!(stream, "commute 1 {} {name}", std::process::id()).expect("a header");
        Sending {
            writer: CtrWriter::new(stream).expect("a trace"),
            text: String::new(),
            sent: 0,
        }
    }

    /// Reads all events again, so that names keep their numbers, and sends those
    /// that are new.
    fn send(&mut self, events: &str) {
        self.text += &(events.replace(';', "\n") + "\n");
        let text = std::io::Cursor::new(self.text.clone());
        let mut reader = TraceReader::from_reader(text, Options::default()).expect("a trace");
        let mut events = Vec::new();
        while reader.read_batch(&mut events).expect("events") > 0 {
            for (i, event) in events.iter().enumerate() {
                if reader.index(i) > self.sent {
                    self.writer.write(event, reader.names()).expect("written");
                }
            }
        }
        self.sent = reader.events_read();
    }
}

/// The words that start the program.
pub(crate) fn words() -> Vec<String> {
    let me = std::env::current_exe().expect("this test");
    let me = me.to_str().expect("a path").to_owned();
    let rest = ["the_program", "--exact", "--nocapture"];
    [me].into_iter().chain(rest.map(str::to_owned)).collect()
}

/// A directory of its own for each test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory can be made");
    path
}

/// `commute ARGS -- the program`, with a script, in a directory of its own,
/// below which is the place for temporary files.
pub(crate) fn command(name: &str, args: &[&str], script: &str) -> Command {
    let here = directory(name);
    std::fs::create_dir(here.join("tmp")).expect("a directory can be made");
    // Whoever runs the tests in the background of a script has SIGINT ignored, which
    // `commute` would respect.
    let commute = env!("CARGO_BIN_EXE_commute");
    let mut command = Command::new(if cfg!(target_os = "linux") {
        "env"
    } else {
        commute
    });
    if cfg!(target_os = "linux") {
        command.args(["--default-signal", commute]);
    }
    command.args(args);
    if !args.contains(&"--") {
        command.arg("--");
    }
    command.args(words());
    command.env(SCRIPT, script).current_dir(&here);
    command.env("TMPDIR", here.join("tmp"));
    command
}

/// Runs it, and sees that nothing is left behind.
pub(crate) fn run(name: &str, args: &[&str], script: &str) -> (i32, String, String) {
    let output = command(name, args, script).output().expect("commute runs");
    nothing_left(name);
    taken(&output)
}

/// The exit code, and what was printed to where.
pub(crate) fn taken(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("an exit code");
    (code, text(&output.stdout), text(&output.stderr))
}

/// The directory of the socket is gone.
pub(crate) fn nothing_left(name: &str) {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(name)
        .join("tmp");
    let left = std::fs::read_dir(place).expect("it is there").count();
    assert_eq!(
        left, 0,
        "{name}: something is left in the temporary directory"
    );
}
