//! Defects that runs find without a counterexample.

use lockstep::deadline::Deadline;
use lockstep::findings;
use lockstep::frontend::{FrontendOptions, import};
use lockstep::lockstep::LockstepOptions;
use lockstep::replay::{Effort, Replay, TriedLaunch};
use lockstep::verdict::Finding;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::VerifiedKernel;

use crate::command::Folder;

/// Threads add to the place of an item's owner, which several items share, if enough items in the
/// owner's row are equal.
const COUNT: &str = "__kernel void count(__global const int *offsets, __global const int *items,\n\
    __global const int *owner, __global int *of_owner, int n) {\n  int i = get_global_id(0);\n  \
    if (i >= n) return;\n  int u = owner[i], found = 0;\n  \
    for (int j = offsets[u]; j < offsets[u + 1]; j++) found += items[j] == items[i];\n  \
    if (found > 3) ADD;\n}\n";

/// Each thread accesses the element of its neighbour.
const SHIFT: &str = "__kernel void shift(__global int *out, int n) {\n  __local int tile[64];\n  \
    int i = get_local_id(0);\n  tile[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
    if (n > 3) out[get_global_id(0)] = tile[i NEXT];\n}\n";

fn kernel(source: &str) -> VerifiedKernel {
    let file = tempfile::Builder::new().suffix(".cl").tempfile().expect("a file");
    std::fs::write(file.path(), source).expect("a file can be written");
    let module = import(file.path(), &FrontendOptions::default()).expect("it compiles");
    module.kernels.into_iter().next().expect("a kernel").kernel.expect("a kernel that can be read")
}

/// The defect that runs of a launch of two groups of 64 threads find.
fn sought(source: &str) -> Option<Finding> {
    let (kernel, options) = (kernel(source), LockstepOptions::default());
    Replay::new(&kernel, &options, [0; 3], 32).seek([&[launch()], &[]], Effort::All, Deadline::NEVER)
}

/// Whether a few runs of this launch have a defect.
fn fails(source: &str) -> bool {
    let (kernel, options) = (kernel(source), LockstepOptions::default());
    Replay::new(&kernel, &options, [0; 3], 32).fails(&[launch()], Deadline::NEVER)
}

fn launch() -> TriedLaunch {
    TriedLaunch { local: vec![64], groups: vec![2], parameters: vec![("n".to_owned(), Bits::new(32, 128_u32))] }
}

#[test]
fn combinations_of_contents_show_a_race() {
    let source = COUNT.replace("ADD", "of_owner[u] += found");
    let found = sought(&source).expect("a race");
    assert_eq!((found.code, found.confirmed, found.array.as_deref()), (findings::race::CODE, true, Some("of_owner")));
    assert_eq!(found.accesses.iter().map(|access| access.line).collect::<Vec<_>>(), [7, 7]);
    assert_eq!(found.parameters["n"], "128");
    // The witness shows it again.
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let words = found.witness.expect("a witness").words;
    let words: Vec<&str> = ["run", "a.cl"].into_iter().chain(words.iter().map(String::as_str)).collect();
    let run = folder.run(&words);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.contains("race on of_owner"), "{words:?}: {text}");
}

#[test]
fn kernels_without_a_defect_have_none() {
    assert!(sought(&COUNT.replace("ADD", "atomic_add(&of_owner[u], found)")).is_none());
    assert!(sought(&SHIFT.replace("NEXT", "^ 1")).is_none());
}

#[test]
fn accesses_outside_of_arrays_are_found() {
    let found = sought(&SHIFT.replace("NEXT", "+ 1")).expect("an access outside");
    assert_eq!((found.code, found.array.as_deref()), (findings::out_of_bounds::CODE, Some("tile")));
    assert_eq!(found.place.as_deref(), Some("tile[64], which has 64 elements"));
}

/// A trial is refuted by any defect, also by one that is no finding of such a search.
#[test]
fn a_few_runs_refute_what_has_a_defect() {
    let waits = "if (n > 3) { SOME barrier(CLK_LOCAL_MEM_FENCE); }";
    let with = |condition: &str| {
        let waits = waits.replace("SOME", condition);
        SHIFT.replace("NEXT", "^ 1").replace("  if (n > 3)", &format!("  {waits}\n  if (n > 3)"))
    };
    assert!(!fails(&with("")));
    assert!(fails(&with("if (i < 9)")) && sought(&with("if (i < 9)")).is_none(), "the barrier diverges");
    assert!(fails(&SHIFT.replace("NEXT", "+ 1")));
    assert!(fails(&SHIFT.replace("NEXT", "^ 1").replace("  barrier(CLK_LOCAL_MEM_FENCE);\n", "")));
    assert!(!fails(&COUNT.replace("ADD", "of_owner[u] += found")), "other contents show it");
}

/// A wait that never ends is a defect if each launch has it, and nothing that the host passes
/// decides it.
#[test]
fn waits_that_never_end_are_found() {
    let source = "__kernel void wait(__global atomic_int *flag, __global int *data, int n) {
  if (get_global_id(0) == 0) atomic_store_explicit(flag, 2, memory_order_release, memory_scope_device);
  while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != VALUE) {}
  data[get_global_id(0)] = n;
}
";
    let found = sought(&source.replace("VALUE", "1")).expect("a wait");
    let lines: Vec<u64> = found.accesses.iter().map(|access| access.line.into()).collect();
    assert_eq!((found.code, found.confirmed, lines), (findings::endless_wait::CODE, true, vec![3]));
    assert!(sought(&source.replace("VALUE", "2")).is_none(), "it ends");
    assert!(fails(&source.replace("VALUE", "1")) && !fails(&source.replace("VALUE", "2")));
    let passed = sought(&source.replace("VALUE", "n")).expect("a wait");
    assert!(!passed.confirmed && passed.hinges.len() == 1, "the host passes the value: {passed:?}");
    assert!(sought(&source.replace("VALUE", "data[n]")).is_none(), "it depends on contents");
    let unset = source.replace("if (get_global_id(0) == 0)", "if (n < 0)").replace("VALUE", "1");
    assert!(sought(&unset).is_none(), "the host may set it");
    let counted = source.replace("atomic_store_explicit(flag, 2", "atomic_fetch_add_explicit(flag, 2");
    assert!(sought(&counted.replace("VALUE", "1")).is_none(), "the host may have set another number");
}

/// Flags of any type are unset at first, as the proof assumes.
#[test]
fn signals_are_unset_in_runs() {
    let source = "__global__ void hand_over(int *data, float *ready, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *(volatile int *)ready = 1;
  } else {
    while (*(volatile int *)ready == 0) {}
    __threadfence();
    out[blockIdx.x] = *data;
  }
}
";
    for (source, status) in [(source.to_owned(), 0), (source.replacen("    __threadfence();\n", "", 1), 1)] {
        let folder = Folder::new(&[("a.cu", source.as_bytes())]);
        let output = folder.run(&["verify", "a.cu", "--block-dim=64"]);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
    }
}
