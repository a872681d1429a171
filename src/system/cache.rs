//! Remembered results, in the user's cache folder.
//!
//! An entry is found by its [`Key`], the SHA-256 hash of everything that it depends on. The key
//! always includes Lockstep's own build and the version of Z3, so an answer of another build of
//! Lockstep is never read. An entry names its key and carries a hash of its own contents. A damaged
//! or truncated entry, one of another key, and a missing one are treated alike: nothing is known.
//! Entries are written to temporary files beside and renamed, so that others see them whole or not
//! at all. No failure of the file system is an error: a result that cannot be read is computed, and
//! one that cannot be written is forgotten.
//!
//! Everyone who may write to this folder is trusted, as with the program itself.

use std::fs;
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::bounded;

/// The variable that names the folder, instead of `lockstep` in the user's cache folder. Empty for
/// no cache.
pub const VARIABLE: &str = "LOCKSTEP_CACHE";

/// The most bytes that the cache keeps on disk.
const MOST_BYTES: u64 = 256 << 20;

/// The number of folders over which entries are spread, by the first byte of their keys.
///
/// Each keeps its share of the whole, so that writing an entry does not require looking at all the
/// others.
const FOLDERS: u64 = 256;

/// A file's size on disk is a multiple of this.
const BLOCK: u64 = 4096;

/// The hash of everything that an entry depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// Feeds the hashed values to SHA-256.
struct Feed(Sha256);

impl Hasher for Feed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("64 bits are not enough to tell questions apart")
    }
}

/// The user's cache folder, if there is a place for it.
///
/// It exists for other uses even if nothing is to be remembered.
pub fn folder() -> Option<PathBuf> {
    let given = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    given.map(PathBuf::from).or_else(|| Some(dirs::cache_dir()?.join("lockstep")))
}

/// A folder of entries.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    /// The most bytes that each of its folders may keep.
    share: u64,
    /// The stamp of the build that writes and reads the entries, and of its other inputs: all
    /// entries depend on it.
    stamp: String,
}

impl Cache {
    /// The user's cache for a build with this stamp, if it is enabled and there is a place for it.
    pub fn of_user(stamp: &str) -> Option<Self> {
        let is_off = std::env::var_os(VARIABLE).is_some_and(|folder| folder.is_empty());
        folder().filter(|_| !is_off).map(|folder| Self::at(&folder, stamp))
    }

    /// The cache in this folder, which need not exist.
    pub fn at(folder: &Path, stamp: &str) -> Self {
        Self { folder: folder.to_owned(), share: MOST_BYTES / FOLDERS, stamp: stamp.to_owned() }
    }

    /// The key of an entry of one kind that depends on `subject`.
    ///
    /// [`Hash`] is injective up to the hash itself: the bytes that a value feeds into it are no
    /// prefix of another value's bytes.
    pub fn key(&self, kind: &str, subject: &impl Hash) -> Key {
        let mut feed = Feed(Sha256::new());
        (kind, &self.stamp).hash(&mut feed);
        subject.hash(&mut feed);
        Key(feed.0.finalize().into())
    }

    /// The content remembered under a key.
    pub fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let bytes = bounded::read(&path).ok()?;
        let content = unsealed(key, &bytes)?.to_vec();
        // The oldest entries go first, and a used entry is not old.
        if let Ok(file) = fs::File::options().append(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(content)
    }

    /// Remembers content under a key.
    pub fn write(&self, key: &Key, content: &[u8]) {
        let entry = sealed(key, content);
        let path = self.path(key);
        let Some(folder) = path.parent() else { return };
        if on_disk(entry.len() as u64) > self.share / 4 || fs::create_dir_all(folder).is_err() {
            return;
        }
        let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
            file.write_all(&entry)?;
            Ok(file.persist(&path)?)
        });
        if written.is_ok() {
            self.make_room(folder);
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        let name = hexadecimal(&key.0);
        let (folder, rest) = name.split_at(2);
        self.folder.join(folder).join(rest)
    }

    /// Removes the oldest entries of a folder if there are too many.
    fn make_room(&self, folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let described = entries.flatten().filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((metadata.modified().ok()?, on_disk(metadata.len()), entry.path()))
        });
        let mut described: Vec<(SystemTime, u64, PathBuf)> = described.collect();
        described.sort();
        let mut total: u64 = described.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in described {
            if total <= self.share {
                break;
            }
            let _ = fs::remove_file(path);
            total -= bytes;
        }
    }
}

/// The size on disk of a file of this length.
fn on_disk(bytes: u64) -> u64 {
    bytes.next_multiple_of(BLOCK)
}

/// An entry: the key, the hash of the contents, the contents.
fn sealed(key: &Key, content: &[u8]) -> Vec<u8> {
    let hash: [u8; 32] = Sha256::digest(content).into();
    [&key.0, &hash, content].concat()
}

/// The contents of an entry, if it is whole and has this key.
fn unsealed<'a>(key: &Key, entry: &'a [u8]) -> Option<&'a [u8]> {
    let (stated, rest) = entry.split_at_checked(32)?;
    let (hash, content) = rest.split_at_checked(32)?;
    let real: [u8; 32] = Sha256::digest(content).into();
    (stated == key.0 && hash == real).then_some(content)
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn key_of(kind: &str, subject: &impl Hash) -> Key {
        Cache::at(Path::new("any"), "build").key(kind, subject)
    }

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(&folder.path().join("not there yet"), "build");
        (folder, cache)
    }

    fn the_only_file(cache: &Cache) -> PathBuf {
        let mut files: Vec<PathBuf> = Vec::new();
        for folder in fs::read_dir(&cache.folder).expect("the cache") {
            let entries = fs::read_dir(folder.expect("an entry").path()).expect("a folder");
            files.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        assert_eq!(files.len(), 1, "{files:?}");
        files.remove(0)
    }

    #[test]
    fn entries_are_read_under_their_keys_only() {
        let (_folder, cache) = cache();
        let key = key_of("test", &1);
        assert_eq!(cache.read(&key), None);
        cache.write(&key, b"one");
        assert_eq!(cache.read(&key), Some(b"one".to_vec()));
        for other in [key_of("test", &2), key_of("other", &1), key_of("test", &(1, 1))] {
            assert_eq!(cache.read(&other), None);
        }
    }

    #[test]
    fn keys_do_not_run_into_each_other() {
        assert_ne!(key_of("test", &("ab", "c")), key_of("test", &("a", "bc")));
        assert_ne!(key_of("test", &vec![vec![1, 2]]), key_of("test", &vec![vec![1], vec![2]]));
        assert_ne!(key_of("test", &Some(0u8)), key_of("test", &None::<u8>));
        assert_eq!(key_of("test", &("ab", 7)), key_of("test", &("ab", 7)));
    }

    #[test]
    fn damage_is_noticed() {
        let (_folder, cache) = cache();
        let (key, other) = (key_of("test", &1), key_of("test", &2));
        cache.write(&key, b"the contents");
        let path = the_only_file(&cache);
        let whole = fs::read(&path).expect("an entry");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            fs::write(&path, &damaged).expect("the entry can be written");
            assert_eq!(cache.read(&key), None, "byte {at} changed");
            fs::write(&path, &whole[..at]).expect("the entry can be written");
            assert_eq!(cache.read(&key), None, "cut at byte {at}");
        }
        let elsewhere = cache.path(&other);
        fs::create_dir_all(elsewhere.parent().expect("a folder")).expect("it can be made");
        fs::write(&elsewhere, &whole).expect("the entry can be copied");
        assert_eq!(cache.read(&other), None, "the entry of another key");
        cache.write(&key, b"the contents");
        assert_eq!(cache.read(&key), Some(b"the contents".to_vec()), "a damaged entry is replaced");
    }

    #[test]
    fn without_a_folder_nothing_is_known_and_nothing_fails() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        // No folder can be made below a file.
        let cache = Cache::at(&file.path().join("cache"), "build");
        let key = key_of("test", &1);
        cache.write(&key, b"one");
        assert_eq!(cache.read(&key), None);
    }

    #[test]
    fn the_oldest_go() {
        let (_folder, mut cache) = cache();
        cache.share = 8 * BLOCK;
        // Keys of one folder.
        let keys: Vec<Key> =
            (0u32..).map(|number| key_of("test", &number)).filter(|key| key.0[0] == 0).take(9).collect();
        let long_ago = SystemTime::now() - Duration::from_hours(24);
        for (age, key) in keys.iter().enumerate() {
            cache.write(key, b"small");
            let file = fs::File::options().append(true).open(cache.path(key)).expect("the entry");
            file.set_modified(long_ago + Duration::from_secs(age as u64)).expect("its time can be set");
            // The first is used again and again.
            assert!(cache.read(&keys[0]).is_some());
        }
        let known: Vec<bool> = keys.iter().map(|key| cache.read(key).is_some()).collect();
        let all_but_the_second: Vec<bool> = (0..9).map(|number| number != 1).collect();
        assert_eq!(known, all_but_the_second);
        cache.write(&key_of("test", &"large"), &vec![0; 1 << 20]);
        assert_eq!(cache.read(&key_of("test", &"large")), None, "too large to be worth it");
    }
}
