//! `lockstep verify --watch`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::command::{ADD, Folder, lockstep};

/// The longest time for a run on a busy machine.
const LONGEST: Duration = Duration::from_mins(2);

/// A process that is ended with its test.
struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts to watch; the lines of stdout and stderr come through the channel.
fn watch(folder: &Folder, words: &[&str]) -> (Watching, Receiver<String>) {
    let mut command = lockstep();
    command.current_dir(folder.0.path()).args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let (sender, lines) = channel();
    let said = sender.clone();
    let (stdout, stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    thread::spawn(move || BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    thread::spawn(move || BufReader::new(stderr).lines().map_while(Result::ok).try_for_each(|line| said.send(line)));
    (Watching(child), lines)
}

#[track_caller]
fn await_line(lines: &Receiver<String>, part: &str) {
    let mut seen = Vec::new();
    while !seen.last().is_some_and(|line: &String| line.contains(part)) {
        match lines.recv_timeout(LONGEST) {
            Ok(line) => seen.push(line),
            Err(error) => panic!("`{part}` does not come ({error}): {seen:?}"),
        }
    }
}

#[test]
fn a_change_of_an_input_a_header_or_the_configuration_starts_a_run() {
    let source = format!("#include \"n.h\"\n{}", ADD.replace("b[i]", "b[i] + a[i + N]"));
    let folder = Folder::new(&[("add.cl", source.as_bytes()), ("n.h", b"#define N 0\n")]);
    let (_watching, lines) = watch(&folder, &["verify", "--watch", "add.cl"]);
    await_line(&lines, "verified add");
    await_line(&lines, "note: watching 2 files");
    fs::write(folder.path("n.h"), "#define N 1 // now it races\n").expect("a file");
    await_line(&lines, "n.h changed");
    await_line(&lines, "defect add");
    await_line(&lines, "note: watching");
    fs::write(folder.path("lockstep.toml"), "[defaults]\nlocal-size = 1\nnum-groups = 1\n").expect("a file");
    await_line(&lines, "lockstep.toml changed");
    await_line(&lines, "verified add");
    await_line(&lines, "note: watching 3 files");
    fs::write(folder.path("add.cl"), "__kernel void broken(").expect("a file");
    await_line(&lines, "add.cl changed");
    await_line(&lines, "does not compile");
}
