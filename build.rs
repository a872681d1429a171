//! Makes the binaries link and find LLVM and the Z3 library that `./x setup` put into `third-party/`, and tells them what
//! they are built from.

#[path = "build/link.rs"]
mod link;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// All that Lockstep is made of, the packages it uses by their checksums in the lock file.
const SOURCES: [&str; 10] = [
    "Cargo.lock",
    "Cargo.toml",
    "build",
    "build.rs",
    "include",
    "invariants/Cargo.toml",
    "invariants/src",
    "ir/Cargo.toml",
    "ir/src",
    "src",
];

/// What else the compiler's output depends on.
const CIRCUMSTANCES: [&str; 6] =
    ["TARGET", "PROFILE", "OPT_LEVEL", "DEBUG", "CARGO_ENCODED_RUSTFLAGS", "CARGO_CFG_FEATURE"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    link::link(&root);
    println!("cargo:rustc-env=LOCKSTEP_BUILD={}", build(&root));
}

/// A number that differs between builds that may answer differently: what the cache's entries are marked with.
fn build(root: &Path) -> String {
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update(bytes.len().to_le_bytes());
        hash.update(bytes);
    };
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        let mut files = Vec::new();
        collect(&root.join(source), &mut files);
        files.sort();
        assert!(!files.is_empty(), "{source} is missing");
        for file in files {
            add(file.strip_prefix(root).unwrap_or(&file).as_os_str().as_encoded_bytes());
            add(&std::fs::read(&file).expect("a source file can be read"));
        }
    }
    for name in CIRCUMSTANCES {
        add(variable(name).as_bytes());
    }
    let compiler = std::process::Command::new(variable("RUSTC")).arg("-vV").output().expect("the compiler runs");
    add(&compiler.stdout);
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string can be written to");
        text
    })
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a source folder can be read") {
            collect(&entry.expect("a source folder can be read").path(), files);
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
