//! Kernels are judged in worker processes.
//!
//! A hang, a crash, or a lack of memory costs the kernel of one worker, and signals end a run in
//! order. `LOCKSTEP_FAULT` requests the faults, which builds for users do not support.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::command::{ADD, Folder, TWO};
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;
use serde_json::Value;

/// Three kernels, the second of which fails.
const THREE: &str = "__kernel void first(__global int *a) { a[get_global_id(0)] = 1; }\n\
    __kernel void trouble(__global int *a) { a[get_global_id(0)] = 2; }\n\
    __kernel void last(__global int *a) {\n  int i = get_global_id(0);\n  a[i >> 1] = i;\n}\n";

/// A kernel that is alone in its file.
const ALONE: &str = "__kernel void trouble(__global int *a) { a[get_global_id(0)] = 2; }\n";

fn folder() -> Folder {
    Folder::new(&[("three.cl", THREE.as_bytes()), ("alone.cl", ALONE.as_bytes()), ("add.cl", ADD.as_bytes())])
}

/// `verify` in a folder, with a temporary folder of its own beside it.
fn verify(folder: &Folder, words: &[&str]) -> Command {
    let temporary = folder.path("tmp");
    fs::create_dir_all(&temporary).expect("a folder can be made");
    let mut command = crate::command::lockstep();
    command.current_dir(folder.0.path()).env("TMPDIR", &temporary).env("LOCKSTEP_CACHE", "");
    command.args(["verify", "--format=json"]).args(words);
    command
}

/// The number of files left in the temporary folder.
fn left_over(folder: &Folder) -> usize {
    fs::read_dir(folder.path("tmp")).expect("a folder").count()
}

fn report(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no report: {error}\n{said}"))
}

/// The kernels of a report without the parts that differ from run to run.
fn kernels(report: &Value) -> Vec<Value> {
    let mut kernels = report["kernels"].as_array().expect("kernels").clone();
    for kernel in &mut kernels {
        kernel.as_object_mut().expect("a kernel").remove("statistics");
    }
    kernels
}

fn of(kernels: &[Value], name: &str) -> Value {
    kernels.iter().find(|kernel| kernel["name"] == name).unwrap_or_else(|| panic!("no kernel {name}")).clone()
}

/// Checks that the kernels beside the failing one are reported as without it, and that the run ends
/// with this status.
///
/// Returns the report on the failing one.
#[cfg(debug_assertions)]
fn trouble(fault: &str, words: &[&str], status: i32) -> Value {
    let folder = folder();
    let words = [&["three.cl", "add.cl"], words].concat();
    let calm = report(&verify(&folder, &words).output().expect("lockstep runs"));
    let output = verify(&folder, &words).env("LOCKSTEP_FAULT", fault).output().expect("lockstep runs");
    assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
    let (calm, troubled) = (kernels(&calm), kernels(&report(&output)));
    assert_eq!(calm.len(), troubled.len());
    for (before, after) in calm.iter().zip(&troubled) {
        assert!(before == after || after["name"] == "trouble", "{before}\n{after}");
    }
    assert_eq!(of(&calm, "trouble")["verdict"], "verified");
    assert_eq!(left_over(&folder), 0);
    // In a file of its own it is judged by the worker that read the file.
    let words = [&["alone.cl", "add.cl"], &words[2..]].concat();
    let output = verify(&folder, &words).env("LOCKSTEP_FAULT", fault).output().expect("lockstep runs");
    assert_eq!(output.status.code(), Some(if status == 1 { 2 } else { status }));
    let alone = kernels(&report(&output));
    assert_eq!(of(&alone, "add")["verdict"], "verified");
    let (here, there) = (of(&alone, "trouble"), of(&troubled, "trouble"));
    assert_eq!((&here["verdict"], &here["reason"]), (&there["verdict"], &there["reason"]));
    there
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_costs_one_kernel() {
    let kernel = trouble("trouble", &[], 4);
    assert_eq!(kernel["verdict"], "error");
    assert!(kernel["reason"].as_str().expect("a reason").contains("a fault on purpose"));
}

#[test]
#[cfg(debug_assertions)]
fn a_crash_costs_one_kernel() {
    let kernel = trouble("crash:trouble", &[], 4);
    assert_eq!(kernel["verdict"], "error");
    assert!(kernel["reason"].as_str().expect("a reason").contains("was killed by signal 6 (SIGABRT)"), "{kernel}");
}

#[test]
#[cfg(debug_assertions)]
fn a_crash_of_z3_costs_one_kernel() {
    let kernel = trouble("z3:trouble", &[], 4);
    assert_eq!(kernel["verdict"], "error");
    assert!(kernel["reason"].as_str().expect("a reason").contains("was killed by signal 11 (SIGSEGV)"), "{kernel}");
}

/// A defect that is found stays found if the search for a precondition ends the worker: in a file
/// of its own, and beside another kernel.
#[test]
#[cfg(debug_assertions)]
fn a_crash_in_the_search_for_a_precondition_costs_no_defect() {
    let kernel = |name: &str| {
        format!("__kernel void {name}(__global int *a, int n) {{ a[get_global_id(1) * n + get_global_id(0)] += 1; }}\n")
    };
    let both = kernel("trouble") + &kernel("other");
    let folder = Folder::new(&[("alone.cl", kernel("trouble").as_bytes()), ("both.cl", both.as_bytes())]);
    for file in ["alone.cl", "both.cl"] {
        let words = [file, "--local-size=[8,8]", "--num-groups=[*,*]"];
        let calm = kernels(&report(&verify(&folder, &words).output().expect("lockstep runs")));
        assert_eq!(of(&calm, "trouble")["verdict"], "conditional");
        for fault in ["crash:search of trouble", "memory:search of trouble"] {
            let mut command = verify(&folder, &[&words[..], &["--memory=1024"]].concat());
            let output = command.env("LOCKSTEP_FAULT", fault).output().expect("lockstep runs");
            let troubled = kernels(&report(&output));
            assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
            let trouble = of(&troubled, "trouble");
            assert_eq!((&trouble["verdict"], &trouble["reason"]), (&"defect".into(), &Value::Null));
            assert_eq!(trouble["findings"], of(&calm, "trouble")["findings"]);
            for other in troubled.iter().filter(|kernel| kernel["name"] == "other") {
                assert_eq!(*other, of(&calm, "other"));
            }
        }
    }
}

/// Clang crashes on a file: its verdict is an error, and the other file's verdicts are the same as
/// without it.
#[test]
fn a_crash_of_clang_costs_one_file() {
    let folder = Folder::new(&[
        ("crash.cl", b"#pragma clang __debug crash\n__kernel void k(__global int *a) { a[0] = 1; }\n"),
        ("two.cl", TWO.as_bytes()),
    ]);
    let with = verify(&folder, &["crash.cl", "two.cl"]).output().expect("lockstep runs");
    let without = verify(&folder, &["two.cl"]).output().expect("lockstep runs");
    assert_eq!((with.status.code(), without.status.code()), (Some(3), Some(1)));
    assert_eq!(kernels(&report(&with)), kernels(&report(&without)));
    let errors = report(&with)["errors"].to_string();
    let expected = "crash.cl: Clang itself crashed (at crash.cl:1:2: current parser token 'pragma')";
    assert!(errors.contains(expected) && !errors.contains("Stack dump"), "{errors}");
    assert_eq!(left_over(&folder), 0);
}

#[test]
#[cfg(debug_assertions)]
fn a_stack_overflow_costs_one_kernel() {
    let kernel = trouble("stack:trouble", &[], 4);
    assert_eq!(kernel["verdict"], "error");
    assert!(kernel["reason"].as_str().expect("a reason").contains("stack"), "{kernel}");
}

#[test]
#[cfg(debug_assertions)]
fn a_hang_costs_one_kernel() {
    let kernel = trouble("hang:trouble", &["--timeout=8"], 1);
    assert_eq!(kernel["verdict"], "unknown");
    assert!(kernel["reason"].as_str().expect("a reason").contains("timeout after 8 s"), "{kernel}");
}

#[test]
#[cfg(debug_assertions)]
fn a_lack_of_memory_costs_one_kernel() {
    let kernel = trouble("memory:trouble", &["--memory=600"], 1);
    assert_eq!(kernel["verdict"], "unknown");
    assert!(kernel["reason"].as_str().expect("a reason").contains("more than 600 MiB"), "{kernel}");
}

/// The processes that a process has started, and their descendants.
fn descendants(parent: u32) -> Vec<i32> {
    // Any of its threads may have started them.
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let children = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    let children: Vec<i32> =
        children.flat_map(|all| all.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect();
    let further = children.iter().flat_map(|&child| descendants(u32::try_from(child).expect("a number"))).collect();
    [children, further].concat()
}

/// Waits until a condition holds.
fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "waited for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A Clang that does not end on a file of this name, and works normally on others.
fn slow_clang(folder: &Folder) -> String {
    let path = folder.path("slow-clang");
    let script = "#!/bin/sh\ncase \"$*\" in *slow*) exec sleep 1000 ;; *) exec clang-19 \"$@\" ;; esac\n";
    fs::write(&path, script).expect("a file can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    format!("--clang={}", path.display())
}

fn is_running(id: i32) -> bool {
    let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // A zombie has ended.
    state.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn is_asleep(id: i32) -> bool {
    fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() == "sleep")
}

/// The signals that ask a run to stop.
const REQUESTS: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// Gives these signals their default actions, as the tests may run under `nohup`, which ignores
/// some.
fn heed_requests(command: &mut Command) {
    let reset = || {
        for request in REQUESTS {
            // SAFETY: the handler is not a function of this program.
            unsafe { signal(request, SigHandler::SigDfl) }?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec, the closure only makes system calls.
    unsafe { command.pre_exec(reset) };
}

/// Signals print the finished verdicts, and leave neither processes nor files.
#[test]
fn signals_end_a_run_in_order() {
    for (signal, status) in REQUESTS.into_iter().zip([130, 143, 129]) {
        let folder = Folder::new(&[("two.cl", TWO.as_bytes()), ("slow.cl", ADD.as_bytes())]);
        let clang = slow_clang(&folder);
        let mut command = verify(&folder, &[&clang, "two.cl", "slow.cl", "-j2", "-o", "report.json"]);
        heed_requests(&mut command);
        let run = command.stderr(Stdio::piped()).spawn().expect("lockstep runs");
        let id = run.id();
        // Clang sleeps, and the worker of the other file has ended.
        let processes = wait_for("Clang", || {
            let all = descendants(id);
            // These are the process that cleans up, the worker, and Clang's processes.
            (all.len() == 3 && all.iter().any(|&id| is_asleep(id))).then_some(all)
        });
        kill(Pid::from_raw(i32::try_from(id).expect("a number")), signal).expect("it is there");
        let output = run.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
        wait_for("the end of all processes", || processes.iter().all(|&id| !is_running(id)).then_some(()));
        assert_eq!(left_over(&folder), 0);
        let report: Value =
            serde_json::from_str(&fs::read_to_string(folder.path("report.json")).expect("a report")).expect("JSON");
        let verdicts: Vec<&str> = report["kernels"]
            .as_array()
            .expect("kernels")
            .iter()
            .filter_map(|kernel| kernel["verdict"].as_str())
            .collect();
        assert_eq!(verdicts, ["verified", "defect"]);
        let errors = report["errors"].to_string();
        assert!(errors.contains("1 kernel or file not judged"), "{errors}");
    }
}

/// The process is killed and cannot clean up: its child processes end, and its files are removed.
#[test]
fn nothing_is_left_of_a_run_that_is_killed() {
    let folder = Folder::new(&[("slow.cl", ADD.as_bytes())]);
    let clang = slow_clang(&folder);
    let mut run = verify(&folder, &[&clang, "slow.cl"]).spawn().expect("lockstep runs");
    let id = run.id();
    let processes = wait_for("Clang", || {
        let all = descendants(id);
        all.iter().any(|&id| is_asleep(id)).then_some(all)
    });
    assert_eq!(left_over(&folder), 1);
    run.kill().expect("it is there");
    run.wait().expect("it ends");
    wait_for("the end of all processes", || processes.iter().all(|&id| !is_running(id)).then_some(()));
    assert_eq!(left_over(&folder), 0);
}

/// The output is not read: signals end the run all the same.
#[test]
fn signals_end_a_run_whose_report_nobody_reads() {
    // The output is larger than a pipe's buffer.
    let kernel = |number| {
        format!("__kernel void racy{number}(__global int *a) {{ a[get_global_id(0) >> 1] = get_global_id(0); }}\n")
    };
    let kernels: Vec<String> = (0..60).map(kernel).collect();
    let kernels = kernels.concat();
    let folder = Folder::new(&[("racy.cl", kernels.as_bytes())]);
    for signal in REQUESTS {
        for to in [&[][..], &["-o", "/dev/stdout"]] {
            let mut command = verify(&folder, &[&["racy.cl"], to].concat());
            heed_requests(&mut command);
            let mut run = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("lockstep runs");
            let id = run.id();
            // It has begun to print, and cannot finish.
            let printed = run.stdout.as_mut().expect("a pipe");
            printed.read_exact(&mut [0]).expect("a report");
            kill(Pid::from_raw(i32::try_from(id).expect("a number")), signal).expect("it is there");
            let status = run.wait().expect("it ends");
            assert_eq!(status.signal(), Some(signal as i32), "{status}");
            wait_for("the end of its files", || (left_over(&folder) == 0).then_some(()));
            let mut rest = Vec::new();
            run.stdout.take().expect("a pipe").read_to_end(&mut rest).expect("what was printed");
            assert!(rest.len() < 100_000 && serde_json::from_slice::<Value>(&rest).is_err(), "it was not cut off");
        }
    }
}

/// A file for which no worker can be started is an error; finished verdicts are reported.
#[test]
fn a_worker_that_cannot_be_started_costs_its_file() {
    let folder = Folder::new(&[("two.cl", TWO.as_bytes()), ("late.cl", ADD.as_bytes()), ("last.cl", ADD.as_bytes())]);
    let path = folder.path("late-clang");
    // The temporary folder is gone once Clang has reached the second file.
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *late*) mv {0} {0}-gone ;; esac\nexec clang-19 \"$@\"\n",
        folder.path("tmp").display()
    );
    fs::write(&path, script).expect("a file can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    let clang = format!("--clang={}", path.display());
    let words = ["two.cl", "late.cl", "last.cl", "-j1", "--no-sandbox", &clang];
    let output = verify(&folder, &words).output().expect("lockstep runs");
    assert_eq!(output.status.code(), Some(3));
    let report = report(&output);
    let judged = kernels(&report);
    let verdicts: Vec<&str> = judged.iter().filter_map(|kernel| kernel["verdict"].as_str()).collect();
    assert_eq!(verdicts[..2], ["verified", "defect"]);
    assert!(report["errors"].to_string().contains("last.cl: no worker process can be started"), "{}", report["errors"]);
}

/// A file for which Clang lacks memory is unknown; one whose temporary files find no room is an
/// error that says so.
#[test]
fn clang_may_lack_room() {
    let large = "template<typename T, T... I> struct Q {};\n\
        using X = __make_integer_seq<Q, unsigned long, 90000000>;\n\
        __global__ void large(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = sizeof(X); }\n";
    let folder = Folder::new(&[("large.cu", large.as_bytes()), ("two.cl", TWO.as_bytes())]);
    let output = verify(&folder, &["large.cu", "two.cl", "--memory=300"]).output().expect("lockstep runs");
    let judged = kernels(&report(&output));
    assert_eq!((judged[0]["verdict"].as_str(), judged.len()), (Some("unknown"), 3));
    let reason = judged[0]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("out of memory: reading the file took more than 300 MiB"), "{reason}");
    // The limit is less than Clang's own libraries take.
    let output = verify(&folder, &["two.cl", "--memory=150"]).output().expect("lockstep runs");
    let judged = kernels(&report(&output));
    let reason = judged[0]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("out of memory: reading the file took more than 150 MiB"), "{reason}");
    let command = format!("ulimit -f 2; exec {} verify two.cl", env!("CARGO_BIN_EXE_lockstep"));
    let mut limited = Command::new("sh");
    let output = limited.args(["-c", &command]).current_dir(folder.0.path()).env("LOCKSTEP_CACHE", "").output();
    let output = output.expect("lockstep runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("two.cl: Clang cannot write temporary files: File too large"), "{said}");
}

/// `nohup` has its effect.
#[test]
fn signals_that_are_ignored_stay_so() {
    let folder = Folder::new(&[("slow.cl", ADD.as_bytes())]);
    let clang = slow_clang(&folder);
    let command = format!(
        "trap '' HUP; exec {} verify slow.cl {clang} --timeout=4 --format=json",
        env!("CARGO_BIN_EXE_lockstep")
    );
    let mut ignoring = Command::new("sh");
    ignoring.args(["-c", &command]).current_dir(folder.0.path()).env("LOCKSTEP_CACHE", "").stdout(Stdio::piped());
    let run = ignoring.spawn().expect("lockstep runs");
    let id = run.id();
    wait_for("Clang", || descendants(id).iter().any(|&id| is_asleep(id)).then_some(()));
    kill(Pid::from_raw(i32::try_from(id).expect("a number")), Signal::SIGHUP).expect("it is there");
    let output = run.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), report(&output)["kernels"].as_array().map(Vec::len)), (Some(2), Some(1)));
}

/// A worker is killed: its kernel is an error, and the other file's verdicts are reported.
#[test]
fn a_worker_may_be_killed_by_hand() {
    let folder = Folder::new(&[("two.cl", TWO.as_bytes()), ("slow.cl", ADD.as_bytes())]);
    let clang = slow_clang(&folder);
    let mut command = verify(&folder, &[&clang, "slow.cl", "two.cl", "-j2"]);
    let run = command.stdout(Stdio::piped()).spawn().expect("lockstep runs");
    let id = run.id();
    let worker = wait_for("Clang", || {
        let all = descendants(id);
        let child = all
            .iter()
            .find(|&&child| descendants(u32::try_from(child).unwrap_or_default()).iter().any(|&id| is_asleep(id)));
        child.copied()
    });
    kill(Pid::from_raw(worker), Signal::SIGKILL).expect("it is there");
    let output = run.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(4));
    let kernels = kernels(&report(&output));
    let verdicts: Vec<&str> = kernels.iter().filter_map(|kernel| kernel["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["error", "verified", "defect"]);
    assert!(kernels[0]["reason"].to_string().contains("signal 9 (SIGKILL) while reading the file"), "{}", kernels[0]);
    assert_eq!(left_over(&folder), 0);
}

/// A Clang that never ends is aborted, in each command.
#[test]
fn an_endless_compilation_is_broken_off() {
    let folder = Folder::new(&[("slow.cl", ADD.as_bytes()), ("two.cl", TWO.as_bytes())]);
    let clang = slow_clang(&folder);
    let output = verify(&folder, &[&clang, "slow.cl", "two.cl", "--timeout=3"]).output().expect("lockstep runs");
    let judged = kernels(&report(&output));
    assert_eq!((&judged[0]["verdict"], &judged[2]["verdict"]), (&"unknown".into(), &"defect".into()));
    assert!(judged[0]["reason"].to_string().contains("timeout after 3 s: reading the file"), "{}", judged[0]);
    for words in [&["inspect", "slow.cl"][..], &["run", "slow.cl", "--local-size=1", "--num-groups=1"]] {
        let output = folder.run(&[words, &[&clang, "--timeout=1"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("timeout after 1 s") && said.contains("was broken off"), "{said}");
    }
}

/// The report is the same with any number of jobs.
#[test]
fn the_number_of_jobs_changes_nothing() {
    let folder = folder();
    let of_jobs = |jobs: &str| {
        let output = verify(&folder, &["three.cl", "alone.cl", "add.cl", jobs]).output().expect("lockstep runs");
        kernels(&report(&output))
    };
    let one = of_jobs("-j1");
    assert_eq!(one.len(), 5);
    assert_eq!(one, of_jobs("-j3"));
    assert_eq!(one, of_jobs("-j16"));
}

/// A full disk is the user's to mend, whichever process meets it.
#[test]
fn a_full_disk_is_told() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = folder();
    for words in [&["verify", "add.cl"][..], &["inspect", "add.cl"], &["explain", "LS0101"]] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = crate::command::lockstep()
            .current_dir(folder.0.path())
            .args(words)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .expect("lockstep runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{words:?}: {said}");
        assert!(said.contains("cannot write to the standard output: No space left on device"), "{said}");
    }
    let output = verify(&folder, &["add.cl"]).env("TMPDIR", "/nowhere/at/all").output().expect("lockstep runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3));
    assert!(said.contains("cannot make a temporary folder in /nowhere/at/all (TMPDIR names another place)"), "{said}");
}
