//! A browser to look at pages with: Chromium without a window, told what to do over its
//! DevTools protocol.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use commute_testkit::tools;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// The browser is stuck if it takes longer: it starts in two seconds, and answers in one.
const PATIENCE: Duration = Duration::from_secs(240);

/// A running browser with one page.
pub(crate) struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: Value,
    calls: u64,
    /// What the browser said by itself.
    pub(crate) heard: Vec<Value>,
    /// Its profile, removed at the end.
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts one; `None` if none is installed and the test is to be skipped.
    pub(crate) fn start() -> Option<Browser> {
        let chromium = tools::require("chromium")?;
        let profile = tempfile::tempdir().expect("a directory");
        let process = Command::new(chromium)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args(["--disable-quic", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut process = process.expect("chromium starts");
        let socket = connect(profile.path(), &mut process);
        let mut browser = Browser {
            process,
            socket,
            session: Value::Null,
            calls: 0,
            heard: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        browser.session = browser.call("Target.attachToTarget", target)["sessionId"].take();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Has the browser do something, and waits for the answer.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": params});
        if self.session.is_string() {
            message["sessionId"] = self.session.clone();
        }
        let message = Message::text(message.to_string());
        self.socket.send(message).expect("the browser listens");
        let id = json!(self.calls);
        let mut answer = self.wait_for(|message| message["id"] == id);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.socket.read().expect("the browser answers");
            let Message::Text(text) = message else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if is_it(&message) {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// Opens a file.
    pub(crate) fn open(&mut self, page: &Path) {
        self.heard.clear();
        let url = format!("file://{}", page.display());
        self.call("Page.navigate", json!({"url": url}));
        let loaded = |message: &Value| message["method"] == "Page.loadEventFired";
        if !self.heard.iter().any(loaded) {
            self.wait_for(loaded);
        }
    }

    /// What an expression comes to in the page; promises are waited for.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({
            "expression": expression,
            "returnByValue": true,
            "awaitPromise": true,
        });
        let mut answer = self.call("Runtime.evaluate", params);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].take()
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            let params = json!({"type": kind, "key": key, "code": key});
            self.call("Input.dispatchKeyEvent", params);
        }
        self.settle();
    }

    /// Clicks into the middle of what a selector finds first.
    pub(crate) fn click(&mut self, selector: &str) {
        let selector = Value::from(selector);
        let spot = self.evaluate(&format!(
            "(() => {{ const it = document.querySelector({selector});
                it.scrollIntoView({{ block: 'center', inline: 'center' }});
                const {{ x, y, width, height }} = it.getBoundingClientRect();
                return [x + width / 2, y + height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({
                "type": kind, "x": spot[0], "y": spot[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", params);
        }
        self.settle();
    }

    /// Waits until the page has drawn what is new.
    pub(crate) fn settle(&mut self) {
        self.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))",
        );
    }

    /// After how many milliseconds there was something to see in the page.
    pub(crate) fn first_paint(&mut self) -> f64 {
        let paint = self.evaluate(
            "new Promise(done => new PerformanceObserver(list => {
                const [paint] = list.getEntriesByName('first-contentful-paint');
                if (paint) done(paint.startTime);
            }).observe({ type: 'paint', buffered: true }))",
        );
        paint.as_f64().expect("a time")
    }

    /// What the page complained about, and what it wanted from elsewhere.
    pub(crate) fn complaints(&self) -> Vec<&Value> {
        let is_one = |message: &&Value| match message["method"].as_str() {
            Some("Log.entryAdded" | "Runtime.exceptionThrown" | "Runtime.consoleAPICalled") => true,
            Some("Network.requestWillBeSent") => {
                let url = message["params"]["request"]["url"].as_str();
                !url.is_some_and(|url| url.starts_with("file:"))
            }
            _ => false,
        };
        self.heard.iter().filter(is_one).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The browser says in a file of its profile where it listens.
fn connect(profile: &Path, process: &mut Child) -> WebSocket<TcpStream> {
    let started = Instant::now();
    loop {
        let said = std::fs::read_to_string(profile.join("DevToolsActivePort"));
        if let Ok(said) = said
            && let Some((port, path)) = said.trim_end().split_once('\n')
        {
            let stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("it listens");
            let patience = stream.set_read_timeout(Some(PATIENCE));
            patience.expect("a time out can be set");
            let url = format!("ws://127.0.0.1:{port}{path}");
            let (socket, _) = tungstenite::client(url, stream).expect("a connection");
            return socket;
        }
        let ended = process.try_wait().expect("a process");
        assert!(ended.is_none(), "chromium ended: {ended:?}");
        assert!(started.elapsed() < PATIENCE, "chromium does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
}
