//! Completions and man pages.

use std::process::Command;

use crate::command::Folder;

fn text(words: &[&str]) -> String {
    let output = Folder::new(&[]).run(words);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&["completions", shell]);
        for word in ["lockstep", "verify", "local-size", "no-config"] {
            assert!(script.contains(word), "{shell}: {word} is missing");
        }
    }
    assert_eq!(Folder::new(&[]).run(&["completions", "cmd"]).status.code(), Some(3));
}

#[test]
fn the_completions_of_bash_are_a_script() {
    let script = text(&["completions", "bash"]);
    let Ok(output) = Command::new("bash").args(["-n", "-c", &script]).output() else { return };
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn there_is_a_man_page_of_every_command() {
    assert!(text(&["man"]).contains(".TH lockstep 1"));
    for (command, word) in [("verify", "local\\-size"), ("run", "schedule"), ("explain", "CODE")] {
        let page = text(&["man", command]);
        assert!(page.contains(".TH") && page.contains(word), "{page}");
    }
    assert_eq!(Folder::new(&[]).run(&["man", "prove"]).status.code(), Some(3));
}
