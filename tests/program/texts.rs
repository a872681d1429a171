//! Snapshots of texts for people; each is in `tests/program/snapshots/` under the name of its test.
//!
//! `INSTA_UPDATE=always cargo test --workspace --test program texts` rewrites them; the diff is
//! then reviewed.

use crate::command::{ADD, Folder};

/// Compares a command line's exit status and output. Numbers that differ from run to run are left
/// out.
#[track_caller]
fn check_texts(name: &str, folder: &Folder, words: &[&str]) {
    let output = folder.run(words);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let status = output.status.code().map_or("none".to_owned(), |code| code.to_string());
    let text = format!("status: {status}\n--- stdout\n{stdout}--- stderr\n{stderr}");
    let path = regex_lite::escape(&folder.0.path().display().to_string());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(format!("lockstep {}", words.join(" ")));
    settings.add_filter(&path, "FOLDER");
    settings.add_filter(r"\d+(\.\d+)? m?s\b", "SECONDS");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn kernel_ir_is_shown() {
    let folder = Folder::new(&[("add.cl", ADD.as_bytes())]);
    check_texts(
        "kernel_ir_is_shown",
        &folder,
        &["inspect", "add.cl", "--stage=kernel", "--local-size=64", "--num-groups=4"],
    );
}
