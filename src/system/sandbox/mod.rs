//! A sandbox for processes that work on untrusted input: Clang, and the processes that judge
//! kernels.
//!
//! A [`Policy`] says which files may be read and written. [`Policy::prepare`] turns it into rules
//! for the machine's kernel before a process is forked; [`Prepared::enter`] applies them in the
//! child. Inside
//!
//! * files outside the policy cannot be opened, and nothing outside its folders for writing can be
//!   made, changed or deleted (Landlock, Linux 5.13; device files, TCP, signals to other processes
//!   and abstract sockets where the kernel is new enough);
//! * nobody's mode, owner, times or attributes of files are changed, inside the folders for writing
//!   too (Landlock does not know of these);
//! * there are no sockets, no System V or POSIX memory, semaphores and queues, no `io_uring`, no
//!   look into other processes, no kernel keys, no new name spaces (seccomp);
//! * no program gains privileges (`no_new_privs`), nothing dumps core, and no file grows beyond
//!   [`LARGEST_FILE`].
//!
//! A process cannot leave the sandbox, and the processes that it starts are inside, too. A nested
//! sandbox allows the operations that both allow. The number of processes is not limited: the
//! kernel counts all processes of the user, so that a limit would depend on the other running
//! programs.
//!
//! If the kernel lacks one of these, the others hold, and [`Status`] names the missing ones.

mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

pub use tree::{SYSTEM, SourceTree, is_top, user};

/// The largest file that may be written inside.
pub const LARGEST_FILE: u64 = 1 << 30;

/// Small system files that compilers read, and devices that give no way out.
const READ: [&str; 9] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/os-release",
    "/etc/lsb-release",
    "/etc/debian_version",
    "/etc/localtime",
    "/dev/urandom",
];

/// The newest version of Landlock's interface in use; on an older kernel, the version that it has.
const NEWEST: ABI = ABI::V6;

/// The number of a system call that the libc crate does not name on every target; it is the same on
/// all.
const LANDLOCK_RESTRICT_SELF: libc::c_long = 446;

/// Files and folders that a process may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Files and folders that may be read, with everything below them.
    pub read: Vec<PathBuf>,
    /// Files and folders that may be read and executed, with everything below them. [`SYSTEM`]
    /// always is.
    pub execute: Vec<PathBuf>,
    /// Files and folders that may be read and written, with everything below them.
    pub write: Vec<PathBuf>,
}

/// The extent to which the machine's kernel can do all this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything.
    Full,
    /// Some of it is missing, as the text says.
    Partial(String),
}

/// The rules that a child gives to the kernel.
#[derive(Debug)]
pub struct Prepared {
    /// `None` if the kernel has no Landlock.
    ruleset: Option<OwnedFd>,
    /// Whether the kernel has Landlock but refused the rules: nobody may enter.
    is_broken: bool,
    filters: Option<[BpfProgram; 2]>,
    /// The most bytes of memory for a process, if that is limited.
    memory: Option<u64>,
}

impl Policy {
    /// Makes the rules for [`Prepared::enter`]. Paths of the policy that do not exist are left out.
    pub fn prepare(&self) -> Prepared {
        let (ruleset, is_broken) = match self.ruleset() {
            Ok(ruleset) => (ruleset, false),
            Err(_) => (None, true),
        };
        Prepared { ruleset, is_broken, filters: filters().cloned(), memory: None }
    }

    fn ruleset(&self) -> Result<Option<OwnedFd>, landlock::RulesetError> {
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?;
        let mut ruleset = ruleset.set_compatibility(CompatLevel::BestEffort);
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let system = SYSTEM.iter().map(Path::new);
        let given = |paths: &'_ [PathBuf]| paths.to_vec();
        let all = [
            (READ.iter().map(PathBuf::from).collect(), read),
            (system.map(Path::to_owned).collect(), read | AccessFs::Execute),
            (vec![PathBuf::from("/dev/null")], read | AccessFs::WriteFile),
            (given(&self.read), read),
            (given(&self.execute), read | AccessFs::Execute),
            (given(&self.write), AccessFs::from_all(NEWEST) & !AccessFs::Execute),
        ];
        for (path, access) in all.iter().flat_map(|(paths, access)| paths.iter().map(move |path| (path, *access))) {
            // A path that does not exist cannot be opened either.
            let Ok(folder) = PathFd::new(path) else { continue };
            ruleset = ruleset.add_rule(PathBeneath::new(folder, fitting(path, access)))?;
        }
        Ok(ruleset.into())
    }
}

/// The rights of a path, which for a file are only those that apply to files.
fn fitting(path: &Path, access: BitFlags<AccessFs>) -> BitFlags<AccessFs> {
    if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) }
}

/// System calls that fail inside, whatever their arguments.
const REFUSED: &[libc::c_long] = &[
    // Network, and sockets of other kinds. A pair that is connected only with itself (`socketpair`)
    // reaches nobody: programs are started with one.
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // The kernel's own objects.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_settimeofday,
    // Other views of the file system.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_by_handle_at,
    // Attributes of files, which Landlock does not see.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    // Objects in the kernel that outlive a process.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

/// Numbers of system calls that the libc crate does not name; they are the same on all targets.
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;

/// The flags by which `clone` makes new name spaces.
const NAME_SPACES: libc::c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// The filters of system calls, made once because they depend only on the machine.
fn filters() -> Option<&'static [BpfProgram; 2]> {
    static FILTERS: OnceLock<Option<[BpfProgram; 2]>> = OnceLock::new();
    let make = || {
        let architecture = TargetArch::try_from(std::env::consts::ARCH).ok()?;
        let filter = |rules: BTreeMap<i64, Vec<SeccompRule>>, error: libc::c_int| {
            let refused = SeccompAction::Errno(u32::try_from(error).ok()?);
            let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture).ok()?;
            BpfProgram::try_from(filter).ok()
        };
        let mut refused: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|&number| (number, Vec::new())).collect();
        // One rule for each: rules are alternatives.
        let of_clone = (0..32).map(|bit| 1 << bit).filter(|flag| NAME_SPACES & flag != 0).map(|flag| {
            let flag = u64::try_from(flag).ok()?;
            let set = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag).ok()?;
            SeccompRule::new(vec![set]).ok()
        });
        refused.insert(libc::SYS_clone, of_clone.collect::<Option<Vec<SeccompRule>>>()?);
        // The flags of `clone3` are in memory, where a filter does not look. Libraries fall back on
        // `clone` where it does not exist.
        let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        Some([filter(refused, libc::EPERM)?, filter(unknown, libc::ENOSYS)?])
    };
    FILTERS.get_or_init(make).as_ref()
}

impl Prepared {
    /// The same rules with at most this many bytes of memory for each process.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Puts the calling thread, and everything that it starts, into the sandbox.
    ///
    /// It makes only system calls, so it may be called between `fork` and `exec`.
    ///
    /// # Errors
    ///
    /// The kernel refuses a rule that it supports in general: the process must not go on.
    pub fn enter(&self) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::from_raw_os_error(libc::EPERM));
        }
        limit(libc::RLIMIT_CORE, 0)?;
        limit(libc::RLIMIT_FSIZE, LARGEST_FILE)?;
        self.memory.map_or(Ok(()), |bytes| limit(libc::RLIMIT_AS, bytes))?;
        // SAFETY: numbers only.
        succeeded(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into())?;
        if let Some(ruleset) = &self.ruleset {
            // SAFETY: a file descriptor of Landlock's and no flags.
            succeeded(unsafe { libc::syscall(LANDLOCK_RESTRICT_SELF, ruleset.as_raw_fd(), 0) })?;
        }
        for filter in self.filters.iter().flatten() {
            apply_filter(filter).map_err(|_| io::Error::last_os_error())?;
        }
        Ok(())
    }
}

/// Lowers a limit of the process, or leaves it where it is lower already.
fn limit(resource: libc::__rlimit_resource_t, bytes: u64) -> io::Result<()> {
    let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a local variable.
    succeeded(unsafe { libc::getrlimit(resource, &raw mut limits) }.into())?;
    limits.rlim_cur = limits.rlim_cur.min(bytes);
    limits.rlim_max = limits.rlim_max.min(bytes);
    // SAFETY: as above.
    succeeded(unsafe { libc::setrlimit(resource, &raw const limits) }.into())
}

fn succeeded(result: libc::c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Puts the calling process into the sandbox, for a process just forked that has one thread.
///
/// It may still start programs of [`SYSTEM`], which are inside, too.
///
/// # Errors
///
/// The kernel refuses a rule that it supports in general: the process must not go on.
pub fn enter(policy: &Policy) -> io::Result<Status> {
    policy.prepare().enter()?;
    Ok(status().clone())
}

/// Makes a command run in the sandbox, and end with the thread that starts it.
pub fn confine(command: &mut Command, prepared: Prepared) {
    // SAFETY: between `fork` and `exec` only system calls are made.
    unsafe {
        command.pre_exec(move || {
            succeeded(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0).into())?;
            prepared.enter()
        });
    }
}

/// The files mapped into this process: the program and its libraries.
///
/// A policy under which the program is started again needs them.
pub fn loaded() -> Vec<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mapped = maps.lines().filter_map(|line| line.find('/').map(|at| PathBuf::from(&line[at..])));
    let all: BTreeSet<PathBuf> = mapped.chain(std::env::current_exe().ok()).filter(|path| path.is_file()).collect();
    all.into_iter().collect()
}

/// The extent to which this machine's kernel supports the sandbox.
pub fn status() -> &'static Status {
    static STATUS: OnceLock<Status> = OnceLock::new();
    STATUS.get_or_init(|| {
        let mut missing = BTreeSet::new();
        match landlock_version() {
            0 => {
                missing.insert("Landlock, so any file of the user can be read and written");
            }
            1..4 => {
                missing.insert("some of Landlock (Linux 6.7 has all that matters)");
            }
            _ => {}
        }
        if filters().is_none() || !has_seccomp() {
            missing.insert("seccomp, so the network is there");
        }
        if missing.is_empty() {
            return Status::Full;
        }
        let mut text = String::new();
        for (number, part) in missing.iter().enumerate() {
            let _ = write!(text, "{}{part}", if number == 0 { "" } else { "; " });
        }
        Status::Partial(text)
    })
}

/// The version of Landlock's interface; 0 without Landlock.
fn landlock_version() -> libc::c_long {
    const LANDLOCK_CREATE_RULESET: libc::c_long = 444;
    const VERSION: libc::c_long = 1;
    // SAFETY: asks for a number.
    unsafe { libc::syscall(LANDLOCK_CREATE_RULESET, std::ptr::null::<u8>(), 0_usize, VERSION) }.max(0)
}

/// Whether the kernel supports filters of system calls.
fn has_seccomp() -> bool {
    fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("\nSeccomp_filters:"))
        || fs::exists("/proc/sys/kernel/seccomp").unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::Stdio;

    use super::*;

    /// Whether a shell in the sandbox succeeds, with a folder that it may read and one that it may
    /// write.
    fn inside(policy: &Policy, script: &str) -> bool {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        confine(&mut command, policy.prepare());
        command.status().expect("a shell").success()
    }

    #[test]
    fn only_what_the_policy_names_is_read_and_written() {
        if landlock_version() == 0 {
            let _ = writeln!(io::stderr(), "SKIPPED: the kernel of this machine has no Landlock");
            return;
        }
        let place = tempfile::tempdir().expect("a folder");
        let [read, write, other] = ["read", "write", "other"].map(|name| place.path().join(name));
        for folder in [&read, &write, &other] {
            fs::create_dir(folder).expect("a folder");
            fs::write(folder.join("file"), "x").expect("a file");
        }
        std::os::unix::fs::symlink(other.join("file"), read.join("link")).expect("a link");
        let policy = Policy { read: vec![read.clone()], execute: Vec::new(), write: vec![write.clone()] };
        for (script, expected) in [
            (format!("cat {}/file", read.display()), true),
            (format!("cat {}/link", read.display()), false),
            (format!("cat {}/file", other.display()), false),
            ("cat /etc/passwd".to_owned(), false),
            (format!("echo x > {}/file", read.display()), false),
            (format!("echo x > {}/new", other.display()), false),
            (format!("echo x > {}/new && cat {}/new", write.display(), write.display()), true),
            (format!("cp /bin/true {0}/true && {0}/true", write.display()), false),
            (format!("chmod 700 {}/file", other.display()), false),
            (format!("touch -d 2001-01-01 {}/file", other.display()), false),
            (format!("chown 0:0 {}/file", other.display()), false),
            (format!("ln {}/file {}/other", read.display(), write.display()), false),
        ] {
            assert_eq!(inside(&policy, &script), expected, "{script}");
        }
    }

    #[test]
    fn there_are_no_sockets_inside() {
        let policy = Policy { read: vec![PathBuf::from("/")], ..Policy::default() };
        let script = "command -v python3 || exit 9; python3 -c 'import socket; socket.socket(socket.AF_UNIX)'";
        assert!(!inside(&policy, script));
        assert!(!inside(&policy, "exec 3<>/dev/tcp/127.0.0.1/1"));
        assert!(inside(&policy, "true"));
    }

    #[test]
    fn nothing_is_left_in_the_kernel_and_no_name_space_is_made() {
        let policy = Policy { read: vec![PathBuf::from("/")], ..Policy::default() };
        for script in ["unshare -U true", "ipcmk -M 16", "ipcmk -S 1", "ipcmk -Q"] {
            let program = script.split(' ').next().expect("a word");
            assert!(inside(&policy, &format!("command -v {program}")), "{program} is missing");
            assert!(!inside(&policy, script), "{script}");
        }
        // `CLONE_NEWUSER`, by its number: x86-64 and AArch64.
        let script = "import ctypes, os, platform, sys\n\
                      call = 56 if platform.machine() == 'x86_64' else 220\n\
                      made = ctypes.CDLL(None).syscall(call, 0x10000000 | 17, 0, 0, 0, 0)\n\
                      sys.exit(0) if made == 0 else sys.exit(made < 0)";
        assert!(!inside(&policy, &format!("python3 -c \"{script}\"")));
    }
}
