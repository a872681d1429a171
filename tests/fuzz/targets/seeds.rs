//! `seeds TARGET FOLDER` writes the initial corpus of the target's fuzzer.

use std::env;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.as_slice() {
        [target, folder] => lockstep_fuzz::seeds::write(target, Path::new(folder)),
        _ => anyhow::bail!("seeds TARGET FOLDER"),
    }
}
