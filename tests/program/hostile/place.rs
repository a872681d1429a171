//! The place of a hostile repository, and its neighbours.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

/// A text that must never be shown.
pub const SECRET: &str = "SWORDFISH_7f3a91";

/// A correct kernel.
pub const GOOD: &str = "__kernel void good(__global int *a) { a[get_global_id(0)] = 1; }\n";

/// A folder with the repository `repo` and its neighbours.
pub struct Place(TempDir);

/// A Clang plugin, which is the same for all trees of this process.
pub fn plugin() -> &'static Path {
    static PLUGIN: OnceLock<Plugin> = OnceLock::new();
    &PLUGIN.get_or_init(Plugin::new).library
}

/// The file that a repository's code makes.
pub fn canary() -> PathBuf {
    plugin().with_file_name("canary")
}

/// A library whose constructor makes the file `canary` beside it.
pub struct Plugin {
    pub library: PathBuf,
    pub folder: TempDir,
}

impl Plugin {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (source, library) = (folder.path().join("p.c"), folder.path().join("p.so"));
        let canary = folder.path().join("canary");
        let code = format!(
            "#include <fcntl.h>\n__attribute__((constructor)) static void sing(void) {{ open(\"{}\", O_CREAT | O_WRONLY, 0600); }}\n",
            canary.display()
        );
        fs::write(&source, code).expect("a file");
        let status = Command::new("clang-19").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
        assert!(status.expect("Clang 19").success(), "the plugin is made");
        Self { library, folder }
    }
}

impl Place {
    pub fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        for folder in ["repo/.git", "tmp", "home/.ssh", "cache", "elsewhere"] {
            fs::create_dir_all(place.outside(folder)).expect("a folder");
        }
        fs::write(place.outside("secret.h"), format!("{SECRET} is\n{SECRET} here;\n")).expect("a file");
        fs::write(
            place.outside("secret.cl"),
            format!("//pass\n//\n__kernel void {SECRET}(__global int *a) {{ a[0] = 1; }}\n"),
        )
        .expect("a file");
        fs::copy(plugin(), place.path("p.so")).expect("a file");
        place.put("good.cl", GOOD);
        // Running the script makes the canary file.
        place.put("evil.sh", &format!("#!/bin/sh\n: > {}\n", canary().display()));
        let script = place.path("evil.sh");
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(script, executable).expect("a script");
        place
    }

    /// A path beside the repository.
    pub fn outside(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A path in the repository.
    pub fn path(&self, name: &str) -> PathBuf {
        self.outside("repo").join(name)
    }

    /// Writes a file of the repository.
    pub fn put(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// A compilation database with the words after the compiler's name for each source.
    ///
    /// It is in an empty directory.
    pub fn database(&self, entries: &[(&str, &[&str])]) {
        let entry = |(file, words): &(&str, &[&str])| {
            let words: Vec<&str> = ["clang"].iter().chain(words.iter()).copied().collect();
            serde_json::json!({ "directory": "", "file": file, "arguments": words })
        };
        let entries: Vec<_> = entries.iter().map(entry).collect();
        self.put("compile_commands.json", &serde_json::to_string(&entries).expect("JSON"));
    }

    /// A compilation database of all sources at the top, each with these words.
    pub fn database_of_all(&self, words: &[&str]) {
        let names = fs::read_dir(self.path("")).expect("a folder").flatten().map(|entry| entry.file_name());
        let names: Vec<String> = names
            .filter_map(|name| name.into_string().ok())
            .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "cl"))
            .collect();
        let entries: Vec<(&str, &[&str])> = names.iter().map(|name| (name.as_str(), words)).collect();
        self.database(&entries);
    }

    /// A response file that loads the plugin.
    pub fn response(&self, name: &str) {
        self.put(name, "-Xclang -load -Xclang ./p.so -load ./p.so");
    }

    /// A symbolic link in the repository.
    pub fn link(&self, to: &Path, name: &str) {
        std::os::unix::fs::symlink(to, self.path(name)).expect("a link");
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        command.current_dir(self.path("")).args(words);
        command.env("TMPDIR", self.outside("tmp")).env("HOME", self.outside("home"));
        command.env("LOCKSTEP_CACHE", self.outside("cache")).env("CLICOLOR_FORCE", "1");
        command.env_remove("NO_COLOR").env("TERM", "xterm");
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("lockstep runs")
    }

    /// Files that were made where none should be.
    pub fn left_behind(&self) -> Vec<PathBuf> {
        let entries = |folder: &str| fs::read_dir(self.outside(folder)).expect("a folder").flatten();
        let new = ["tmp", "elsewhere", "home/.ssh"].into_iter().flat_map(entries).map(|entry| entry.path());
        new.chain(Some(self.path("written")).filter(|path| path.exists())).collect()
    }
}
