//! Where class files are: directories, single files and jars.
//!
//! This is the only part of the lint that opens files. What it cannot read is a
//! problem, with its name, and the rest is read.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use super::Input;
use crate::ir::Gap;

/// How much is read: a small jar may unpack to anything. A jar says how large its
/// entries are, and may lie, so the bytes that come out are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of a class file.
    pub class: u64,
    /// Bytes of all class files together.
    pub all: u64,
    /// Entries of all jars together, of any kind.
    pub entries: usize,
}

impl Default for Limits {
    /// 16 MiB, 64 MiB and 500,000: three times the classes of `java.base`.
    fn default() -> Limits {
        Limits {
            class: 16 << 20,
            all: 64 << 20,
            entries: 500_000,
        }
    }
}

/// How deep directories may be nested; links may go in circles.
const DEEPEST: usize = 128;

/// Class files, and what could not be read.
#[derive(Default, Debug)]
pub struct Classes {
    /// The class files, in the order of their names within each path.
    pub inputs: Vec<Input>,
    /// What could not be read.
    pub problems: Vec<Gap>,
    /// The entry that is beyond a limit: nothing behind it was read.
    pub refused: Option<Gap>,
}

/// Reads what these paths name: class files, jars, and directories of both.
pub fn read(paths: &[PathBuf]) -> Classes {
    read_up_to(Limits::default(), paths)
}

/// Reads what these paths name, and stops at the first entry beyond the limits.
pub fn read_up_to(limits: Limits, paths: &[PathBuf]) -> Classes {
    let mut reader = Reader {
        found: Classes::default(),
        limits,
        bytes: 0,
        entries: 0,
    };
    for path in paths {
        reader.path(path, 0);
    }
    reader.found
}

struct Reader {
    found: Classes,
    limits: Limits,
    /// How many bytes of class files were read.
    bytes: u64,
    /// How many entries there were.
    entries: usize,
}

impl Reader {
    fn problem(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.found.problems.push(Gap {
            place: place.into(),
            what: what.into(),
        });
    }

    fn refuse(&mut self, place: &str, what: String) {
        self.found.refused.get_or_insert(Gap {
            place: place.to_owned(),
            what,
        });
    }

    fn path(&mut self, path: &Path, depth: usize) {
        if self.found.refused.is_some() {
            return;
        }
        let name = path.display().to_string();
        let result = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.directory(path, depth),
            Ok(_) if has_extension(path, &["class"]) => {
                File::open(path).and_then(|file| self.entry(name.clone(), file))
            }
            Ok(_) if has_extension(path, &["jar", "war", "jmod", "zip"]) => {
                File::open(path).and_then(|file| self.jar(&name, BufReader::new(file)))
            }
            // In a directory there may be anything.
            Ok(_) if depth > 0 => Ok(()),
            Ok(_) => Err(io::Error::other("it is neither a class file nor a jar")),
            Err(error) => Err(error),
        };
        if let Err(error) = result {
            self.problem(name, error.to_string());
        }
    }

    fn directory(&mut self, path: &Path, depth: usize) -> io::Result<()> {
        if depth > DEEPEST {
            return Err(io::Error::other("directories are nested too deep"));
        }
        let mut paths = Vec::new();
        for entry in fs::read_dir(path)? {
            paths.push(entry?.path());
        }
        paths.sort();
        for path in paths {
            self.path(&path, depth + 1);
        }
        Ok(())
    }

    fn jar(&mut self, name: &str, file: impl Read + Seek) -> io::Result<()> {
        let mut jar = zip::ZipArchive::new(file)?;
        self.entries += jar.len();
        if self.entries > self.limits.entries {
            let most = self.limits.entries;
            let what = format!("the jars up to here have more than {most} entries");
            self.refuse(name, what);
        }
        for index in 0..jar.len() {
            if self.found.refused.is_some() {
                break;
            }
            let place = match jar.name_for_index(index) {
                Some(entry) => format!("{name}!{entry}"),
                None => format!("{name}, entry {index}"),
            };
            let entry = match jar.by_index(index) {
                Ok(entry) => entry,
                Err(error) => {
                    self.problem(place, error.to_string());
                    continue;
                }
            };
            // Variants for other versions of Java have the names of those that
            // are there anyway.
            if !entry.is_file()
                || !entry.name().ends_with(".class")
                || entry.name().starts_with("META-INF/versions/")
            {
                continue;
            }
            if let Err(error) = self.entry(place.clone(), entry) {
                self.problem(place, error.to_string());
            }
        }
        Ok(())
    }

    fn entry(&mut self, name: String, source: impl Read) -> io::Result<()> {
        let Limits { class, all, .. } = self.limits;
        let left = all - self.bytes;
        let mut bytes = Vec::new();
        source.take(class.min(left) + 1).read_to_end(&mut bytes)?;
        let length = bytes.len() as u64;
        if length > class {
            self.refuse(&name, format!("it unpacks to more than {class} bytes"));
        } else if length > left {
            let what = format!("the class files up to here unpack to more than {all} bytes");
            self.refuse(&name, what);
        } else {
            self.bytes += length;
            self.found.inputs.push(Input { name, bytes });
        }
        Ok(())
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}
