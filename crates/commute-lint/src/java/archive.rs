//! Where class files are: directories, single files and jars.
//!
//! This is the only part of the lint that opens files. What it cannot read is a
//! problem, with its name, and the rest is read.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use super::Input;
use crate::ir::Gap;

/// The largest class file that is read. A jar says how large its entries are,
/// and may lie, so that what comes out is counted.
const LARGEST: u64 = 64 << 20;

/// How much is read altogether.
const ALL: u64 = 4 << 30;

/// How deep directories may be nested; links may go in circles.
const DEEPEST: usize = 128;

/// Class files, and what could not be read.
#[derive(Default, Debug)]
pub struct Classes {
    /// The class files, in the order of their names within each path.
    pub inputs: Vec<Input>,
    /// What could not be read.
    pub problems: Vec<Gap>,
}

/// Reads what these paths name: class files, jars, and directories of both.
pub fn read(paths: &[PathBuf]) -> Classes {
    let mut reader = Reader {
        found: Classes::default(),
        left: ALL,
    };
    for path in paths {
        reader.path(path, 0);
    }
    reader.found
}

struct Reader {
    found: Classes,
    /// How much may still be read.
    left: u64,
}

impl Reader {
    fn problem(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.found.problems.push(Gap {
            place: place.into(),
            what: what.into(),
        });
    }

    fn path(&mut self, path: &Path, depth: usize) {
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
        for index in 0..jar.len() {
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
        let limit = LARGEST.min(self.left);
        let mut bytes = Vec::new();
        source.take(limit + 1).read_to_end(&mut bytes)?;
        let length = bytes.len() as u64;
        if length > limit {
            let what = match limit {
                LARGEST => "it is larger than 64 MB",
                _ => "all class files together are larger than 4 GB",
            };
            return Err(io::Error::other(what));
        }
        self.left -= length;
        self.found.inputs.push(Input { name, bytes });
        Ok(())
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}
