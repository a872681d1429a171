//! Writes the files of a command: whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::Context as _;

use crate::report;
use crate::worker::signals;

/// Writes a text to a file, as [`write_with`] does.
///
/// # Errors
///
/// The file cannot be written.
pub fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let text = report::renamed(text);
    write_with(path, |file| file.write_all(text.as_bytes()))
}

/// Writes a file by `write`, through a temporary file beside it that takes its place at the end.
///
/// A run that is ended in between leaves the previous contents. Devices and pipes are written to
/// directly.
///
/// # Errors
///
/// The file cannot be written.
pub fn write_with(path: &Path, write: impl Fn(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    written(path, write).with_context(|| format!("cannot write {}", path.display()))
}

fn written(path: &Path, write: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link stays a link, and its target is written.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&target).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        // Signals are not blocked here: a pipe may never be read.
        return directly(&target, write);
    }
    signals::held_back(|| replace(&target, known.as_ref(), write))
}

/// Replaces `target`; `known` describes the file that is there already, if any.
fn replace(
    target: &Path,
    known: Option<&Metadata>,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wanted = known.map_or(Permissions::from_mode(0o666), Metadata::permissions);
    let beside = tempfile::Builder::new().prefix(".lockstep-").permissions(wanted.clone()).tempfile_in(folder);
    let beside = match beside {
        Ok(beside) => beside,
        // No new file may be put into the folder, but the existing one may be written.
        Err(_) if known.is_some() => return directly(target, write),
        Err(cause) => return Err(cause),
    };
    // Attributes that the process may not give to a new file are given to this one, except in the
    // sandbox, where no mode is changed.
    if known.is_some()
        && beside.as_file().metadata()?.permissions() != wanted
        && beside.as_file().set_permissions(wanted).is_err()
    {
        return directly(target, write);
    }
    let mut file = BufWriter::new(beside.as_file());
    write(&mut file)?;
    file.flush()?;
    drop(file);
    beside.persist(target)?;
    Ok(())
}

fn directly(path: &Path, write: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write(&mut file)?;
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_or_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.json");
        write_file(&path, "first").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "first");
        let half = |file: &mut dyn Write| {
            file.write_all(b"half")?;
            Err(io::Error::other("interrupted"))
        };
        assert!(write_with(&path, half).is_err());
        assert_eq!(fs::read_to_string(&path).expect("a file"), "first");
        write_file(&path, "second").expect("written");
        assert_eq!((fs::read_to_string(&path).expect("a file").as_str(), entries(folder.path())), ("second", 1));
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let [target, link] = ["target", "link"].map(|name| folder.path().join(name));
        fs::write(&target, "first").expect("written");
        fs::set_permissions(&target, Permissions::from_mode(0o640)).expect("permissions");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        write_file(&link, "second").expect("written");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        let mode = fs::metadata(&target).expect("a file").permissions().mode() & 0o777;
        assert_eq!((fs::read_to_string(&target).expect("a file").as_str(), mode), ("second", 0o640));
    }

    #[test]
    fn devices_are_written_to_as_they_are() {
        write_file(Path::new("/dev/null"), "gone").expect("written");
        let full = write_file(Path::new("/dev/full"), "too much").expect_err("no space");
        assert!(format!("{full:#}").contains("cannot write /dev/full: No space left"), "{full:#}");
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
    }
}
