//! Reads files that others wrote: only regular files of limited size.
//!
//! Opening a named pipe blocks until another process writes to it, and a device such as `/dev/zero`
//! never ends.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// The size of the largest file that is read.
pub const LARGEST: u64 = 256 << 20;

/// The bytes of a regular file.
///
/// # Errors
///
/// It cannot be read, is not a regular file, or is longer than [`LARGEST`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    check(path)?;
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    // The file may have grown meanwhile.
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= LARGEST) { Ok(bytes) } else { Err(too_large()) }
}

/// The text of a regular file.
///
/// # Errors
///
/// As for [`read`], or the file is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Checks that the kind and length of a file allow reading it.
///
/// # Errors
///
/// It is not a regular file, or is longer than [`LARGEST`].
pub fn check(path: &Path) -> io::Result<()> {
    if check_kind(path)?.len() > LARGEST { Err(too_large()) } else { Ok(()) }
}

/// Checks that a file is a regular one, however long.
///
/// # Errors
///
/// It is not a regular file, or does not exist.
pub fn check_kind(path: &Path) -> io::Result<Metadata> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::from_raw_os_error(libc::EISDIR));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    Ok(metadata)
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {} MiB", LARGEST >> 20))
}
