//! `commute lint --candidates`: what is listed, and that the tests can be pasted as they
//! are and tell a method that is atomic from one that is not.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const CACHE: &str = r#"
use commute::dashmap::DashMap;

#[derive(Default)]
pub struct Cache {
    map: DashMap<u32, String>,
}

impl Cache {
    pub fn new() -> Cache {
        Cache::default()
    }

    /// Whoever comes in between is overwritten.
    pub fn put_new(&self, key: u32, value: &str) -> String {
        if let Some(old) = self.map.get(&key) {
            return old.clone();
        }
        self.map.insert(key, value.to_owned());
        value.to_owned()
    }

    /// Looks first, because that is quicker, and decides in one operation.
    pub fn put_once(&self, key: u32, value: &str) -> String {
        if let Some(old) = self.map.get(&key) {
            return old.clone();
        }
        self.map.entry(key).or_insert_with(|| value.to_owned()).clone()
    }

    pub fn get(&self, key: u32) -> Option<String> {
        self.map.get(&key).map(|found| found.clone())
    }
}
"#;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

/// A package with this library. What is built stays for the next time.
fn package(name: &str, dependencies: &str, library: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(folder.join("src")).expect("made");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\n{dependencies}\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::write(folder.join("src/lib.rs"), library).expect("written");
    // With what this workspace has, so that nothing has to be fetched.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    folder
}

/// Exit code, standard output and standard error.
fn commute(folder: &Path, words: &str) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(words.split(' '))
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TERM_QUIET", "true")
        .output()
        .expect("commute runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// The lines of JSON.
fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

#[test]
fn pasted_tests_tell_what_is_atomic() {
    let commute_crate = root().join("crates/commute");
    let dependency = format!(
        "commute = {{ path = {:?}, features = [\"dashmap\"] }}",
        commute_crate.display().to_string()
    );
    let package = package("candidates-pasted", &dependency, CACHE);
    let (code, stdout, stderr) = commute(&package, "lint --candidates --message-format json");
    assert_eq!(code, Some(0), "{stderr}");
    let listed = lines(&stdout);
    let (end, candidates) = listed.split_last().expect(&stderr);
    assert_eq!(end["reason"], "candidates");
    assert_eq!((&end["candidates"], &end["gaps"]), (&2.into(), &0.into()));
    let methods: Vec<&str> = { candidates.iter() }
        .map(|candidate| candidate["method"].as_str().expect("a name"))
        .collect();
    assert_eq!(methods, ["Cache::put_new", "Cache::put_once"]);
    assert_eq!(candidates[0]["object"], "self.map");
    let names: Vec<&Value> = { candidates[0]["operations"].as_array() }
        .expect("operations")
        .iter()
        .map(|operation| &operation["name"])
        .collect();
    assert_eq!(names, ["DashMap::get", "DashMap::insert"]);
    let mut library = CACHE.to_owned();
    for candidate in candidates {
        library.push_str(candidate["test"].as_str().expect("a test"));
    }
    fs::write(package.join("src/lib.rs"), library).expect("written");
    // There is little to explore: to optimise what explores it would take longer.
    let (code, stdout, stderr) = commute(&package, "test --profile dev --message-format json");
    assert_eq!(code, Some(1), "{stderr}");
    let all = lines(&stdout);
    let verdict = |name: &str| {
        let line = { all.iter() }
            .find(|line| line["reason"] == "test" && line["name"] == name)
            .unwrap_or_else(|| panic!("{name}: {stdout}\n{stderr}"));
        line["verdict"].as_str().expect("a verdict")
    };
    let broken = "cache_put_new_is_atomic::put_new_is_atomic";
    assert_eq!(verdict(broken), "failed");
    let correct = "cache_put_once_is_atomic::put_once_is_atomic";
    assert_eq!(verdict(correct), "passed", "{stdout}");
    let findings: Vec<&Value> = { all.iter() }
        .filter(|line| line["reason"] == "finding")
        .collect();
    assert_eq!(findings.len(), 1, "{stdout}");
    assert_eq!(findings[0]["code"], "CM401");
}

const NAMES: &str = "use std::collections::HashMap;
use std::sync::RwLock;
pub struct Names { names: RwLock<HashMap<u32, String>> }
impl Names {
    pub fn get_or(&self, id: u32, make: impl FnOnce(u32) -> String) -> String {
        if let Some(name) = self.names.read().unwrap().get(&id) {
            return name.clone();
        }
        let name = make(id);
        self.put(id, &name);
        name
    }
    pub fn put(&self, id: u32, name: &str) {
        self.names.write().unwrap().insert(id, name.to_owned());
    }
    pub fn once(&self, id: u32) -> usize {
        let mut names = self.names.write().unwrap();
        names.remove(&id);
        names.len()
    }
    pub fn alone(&mut self, id: u32) {
        self.put(id, \"a\");
        self.put(id, \"b\");
    }
}
";

#[test]
fn candidates_are_listed_for_people() {
    let package = package("candidates-listed", "", NAMES);
    let (code, stdout, stderr) = commute(&package, "lint --candidates");
    assert_eq!(code, Some(0), "{stderr}");
    let expected = r#"candidate: `Names::get_or`: 2 operations on `self.names` (HashMap, in a lock)
  --> src/lib.rs:5:72
   |
 6 |     if let Some(name) = self.names.read().unwrap().get(&id) {
   |                                                    ^ HashMap::get
10 |     self.put(id, &name);
   |          ^ HashMap::insert in `Names::put`
   |
   = test: for the end of src/lib.rs

#[cfg(test)]
mod names_get_or_is_atomic {
    use super::*;
    use commute::compose::{self, Environment};

    #[commute::test]
    fn get_or_is_atomic() {
        compose::check(|| -> Names { compile_error!("fill in: a new one") })
            .method(|names: &Names, id: u32| names.get_or(id, |_| compile_error!("fill in: make")))
            .peer("put", |names: &Names, (id, name): (u32, String)| names.put(id, &name))
            .peer("once", |names: &Names, id: u32| names.once(id))
            .environment(Environment::client())
            .assert_atomic();
    }
}

commute: 1 candidate in 1 crate, "#;
    assert!(stdout.starts_with(expected), "{stdout}");
    assert!(
        stderr.contains("`commute explain CM401` says how"),
        "{stderr}"
    );
    let (code, stdout, stderr) = commute(&package, "lint --candidates --message-format short -q");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(
        stdout,
        "src/lib.rs:5:72: candidate: `Names::get_or`: 2 operations on `self.names` \
         (HashMap, in a lock): HashMap::get, HashMap::insert in `Names::put`\n"
    );
    assert_eq!(stderr, "");
}

#[test]
fn nothing_to_list_is_said() {
    let package = package("candidates-none", "", "pub fn nothing() {}\n");
    let (code, stdout, stderr) = commute(&package, "lint --candidates");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "commute: no candidates in 1 crate, 1 function\n");
    let (code, _, stderr) = commute(&package, "lint --candidates nowhere");
    assert_eq!(code, Some(2), "{stderr}");
    let (code, _, stderr) = commute(&package, "lint --candidates --message-format sarif");
    assert_eq!(code, Some(2), "{stderr}");
    fs::write(
        package.join("odd.mir"),
        "fn odd() -> () {\n    what is this\n}\n\n\
         fn even() -> () {\n    let mut _0: ();\n\n    bb0: {\n        return;\n    }\n}\n",
    )
    .expect("written");
    let (code, stdout, stderr) = commute(&package, "lint --candidates odd.mir");
    assert_eq!(code, Some(3), "{stdout}{stderr}");
    assert!(stdout.contains("1 gap"), "{stdout}");
}

const BACKENDS: &str = "use std::collections::HashMap;
use std::hash::Hash;
use std::sync::RwLock;
pub trait Backend { fn load(&self, key: u32) -> String; }
pub struct Cache<B: Backend, K> { backend: B, values: RwLock<HashMap<K, String>> }
impl<B, K> Cache<B, K>
where
    B: Backend + Send + 'static,
    K: Hash + Eq + Clone + Into<u32>,
{
    pub fn get(&self, key: K) -> String {
        if let Some(value) = self.values.read().unwrap().get(&key) { return value.clone(); }
        let value = self.backend.load(key.clone().into());
        self.values.write().unwrap().insert(key, value.clone());
        value
    }
}
pub struct Set<K> { all: RwLock<HashMap<K, ()>> }
impl<K: Hash + Eq> Set<K> {
    pub fn count(&self, key: K) -> usize {
        if !self.all.read().unwrap().contains_key(&key) { self.all.write().unwrap().insert(key, ()); }
        self.all.read().unwrap().len()
    }
}
";

/// A number cannot stand for a type that implements a trait of the program.
#[test]
fn bounded_parameters_have_to_be_filled_in() {
    let package = package("candidates-bounded", "", BACKENDS);
    let (code, stdout, stderr) = commute(&package, "lint --candidates --message-format json");
    assert_eq!(code, Some(0), "{stderr}");
    let listed = lines(&stdout);
    let test = |at: usize| listed[at]["test"].as_str().expect("a test").to_owned();
    let of_cache = test(0);
    let expected = "    type B = compile_error!(\"fill in: a type that implements Backend\");\n";
    assert!(of_cache.contains(expected), "{of_cache}");
    assert!(
        of_cache.contains("cache: &Cache<B, u32>, key: u32|"),
        "{of_cache}"
    );
    let of_set = test(1);
    assert!(!of_set.contains("type "), "{of_set}");
    assert!(of_set.contains("set: &Set<u32>, key: u32|"), "{of_set}");
    // Filled in, it compiles as far as the object that is to be made.
    let library = format!("{BACKENDS}{of_cache}");
    fs::write(package.join("src/lib.rs"), library).expect("written");
    let output = Command::new("cargo")
        .args(["check", "--tests", "--offline", "--quiet"])
        .current_dir(&package)
        .env_remove("CARGO_TARGET_DIR")
        .output();
    let problem = String::from_utf8_lossy(&output.expect("cargo runs").stderr).into_owned();
    let expected = "error: fill in: a type that implements Backend";
    assert!(problem.contains(expected), "{problem}");
}
