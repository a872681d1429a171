//! The linker's arguments for LLVM and Z3: what the build scripts of packages with such binaries share.
//!
//! Release builds link LLVM statically, as they start faster and run where only Clang is installed. All other builds use
//! the shared library, as one link then takes a second instead of ten and there are many.
//!
//! The shared LLVM needs `libz3.so.4`, the distribution's old Z3. Two of them in one process would answer each other's
//! calls. LLVM says by itself where the loader looks for what it needs, but what is loaded already is looked for nowhere.
//! So the binaries need a `libz3.so.4` too, and find our library under this name; a test asserts that one Z3 is loaded.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The name under which LLVM's shared library asks for Z3.
#[allow(dead_code, reason = "some packages need Z3 alone")]
const Z3_OF_LLVM: &str = "libz3.so.4";

/// Tells Cargo how to link binaries of a package in the repository at `root` with Z3 alone.
pub fn link_z3(root: &Path) -> PathBuf {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-changed={}", ours(root).display());
    let z3 = z3_library(root);
    let folder = z3.parent().expect("a library lies in a folder").display();
    println!("cargo:rustc-link-search=native={folder}");
    argument(&format!("-Wl,-rpath,{folder}"));
    z3
}

/// Tells Cargo how to link binaries of a package in the repository at `root` with LLVM and Z3.
#[allow(dead_code, reason = "some packages need Z3 alone")]
pub fn link(root: &Path) {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let z3 = link_z3(root);
    let libraries = llvm(&["--libdir"]);
    argument(&format!("-L{libraries}"));
    if variable("PROFILE") == "release" {
        link_archives();
    } else {
        name_for_llvm(&z3);
        argument(&format!("-Wl,-rpath,{libraries}"));
        llvm(&["--libs", "--link-shared"]).split_whitespace().for_each(argument);
    }
}

/// LLVM's archives, and what they need but Z3, which is linked anyway.
#[allow(dead_code, reason = "some packages need Z3 alone")]
fn link_archives() {
    let archives = llvm(&["--libs", "--link-static"]);
    let needed = llvm(&["--system-libs", "--link-static"]);
    let needed = needed.split_whitespace().filter(|library| !library.contains("libz3"));
    archives.split_whitespace().chain(needed).chain(["-lstdc++"]).for_each(argument);
}

/// Makes the binaries need `libz3.so.4`, and find our Z3 when they look for it.
#[allow(dead_code, reason = "some packages need Z3 alone")]
fn name_for_llvm(z3: &Path) {
    let folder = PathBuf::from(variable("OUT_DIR")).join("z3");
    std::fs::create_dir_all(&folder).expect("the output folder can be written to");
    // The linker takes the name from an empty library, as ours calls itself otherwise.
    let empty = folder.join("libempty.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-nostdlib", "-x", "c", "/dev/null", "-o"]).arg(&empty);
    let made = compiler.arg(format!("-Wl,-soname,{Z3_OF_LLVM}")).status();
    if !made.is_ok_and(|status| status.success()) {
        stop("cc cannot make a shared library: run ./x setup once");
    }
    let link = folder.join(Z3_OF_LLVM);
    if link.read_link().ok().as_deref() != Some(z3) {
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(z3, &link).expect("the output folder can be written to");
    }
    let arguments = ["-Wl,--push-state,--no-as-needed", &empty.display().to_string(), "-Wl,--pop-state"];
    arguments.into_iter().for_each(argument);
    argument(&format!("-Wl,-rpath,{}", folder.display()));
}

/// The Z3 that is linked: that of `./x setup`, or one that `PKG_CONFIG_PATH` names.
fn z3_library(root: &Path) -> PathBuf {
    let searched = variable("PKG_CONFIG_PATH");
    let folders = searched.split(':').filter(|folder| Path::new(folder).join("z3.pc").is_file());
    let mut named = folders.map(|folder| Path::new(folder).join("../libz3.so")).filter(|library| library.exists());
    let library = named.next().unwrap_or_else(|| ours(root));
    // A Z3 that is found otherwise answers for itself: much of what ours decides at once an old one never does.
    if !library.exists() && (searched.is_empty() || searched.contains("third-party/z3")) {
        stop("Z3 5.4 is not set up: run ./x setup once");
    }
    library.canonicalize().unwrap_or(library)
}

fn ours(root: &Path) -> PathBuf {
    root.join("third-party/z3/lib/libz3.so")
}

/// An answer of `llvm-config`.
#[allow(dead_code, reason = "some packages need Z3 alone")]
fn llvm(questions: &[&str]) -> String {
    let prefix = variable("LLVM_SYS_191_PREFIX");
    let prefix = if prefix.is_empty() { "/usr/lib/llvm-19" } else { &prefix };
    let program = Path::new(prefix).join("bin/llvm-config");
    let output = Command::new(&program).args(questions).output();
    match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Ok(output) => stop(&format!(
            "{} {} failed: {}",
            program.display(),
            questions.join(" "),
            String::from_utf8_lossy(&output.stderr).trim().replace('\n', " ")
        )),
        Err(error) => stop(&format!(
            "LLVM 19 is not set up: {} cannot be run ({error}). Run ./x setup once, or let LLVM_SYS_191_PREFIX name \
             the folder of LLVM 19",
            program.display()
        )),
    }
}

/// Passes an argument to the linker for every binary of the package.
fn argument(argument: &str) {
    println!("cargo:rustc-link-arg={argument}");
}

fn stop(message: &str) -> ! {
    println!("cargo::error={message}");
    std::process::exit(1);
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
