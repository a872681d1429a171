//! Suggested fixes in reports.

use std::fs;
use std::os::unix::fs::symlink;

use lockstep::frontend::{FrontendOptions, import};
use serde_json::Value;

use crate::command::{Folder, SIZES};

/// A line that reads what another thread has written. It must stay with the condition above it.
const SHIFT: &str = "__kernel void shift(__global int *a, __local int *s) {
  int t = get_local_id(0);
  s[t] = a[get_global_id(0)];
  if (t > 0)
    a[get_global_id(0)] = s[t - 1];
}
";

fn verify(name: &str, text: &str, words: &[&str]) -> String {
    let folder = Folder::new(&[(name, text.as_bytes())]);
    let output = folder.run(&[&["verify", name], words].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_missing_barrier_is_suggested_in_each_format() {
    let text = verify("a.cl", SHIFT, &SIZES);
    let said = "fix: `barrier(CLK_LOCAL_MEM_FENCE);` before line 4; with this the kernel is verified";
    assert!(text.contains(said), "{text}");
    let json = verify("a.cl", SHIFT, &[&SIZES[..], &["--format=json"]].concat());
    let report: Value = serde_json::from_str(&json).expect("a report");
    let insertion = &report["kernels"][0]["fix"]["insertions"][0];
    assert_eq!((insertion["line"].as_u64(), insertion["indentation"].as_str()), (Some(4), Some("  ")));
    let sarif = verify("a.cl", SHIFT, &[&SIZES[..], &["--format=sarif"]].concat());
    let log: Value = serde_json::from_str(&sarif).expect("SARIF");
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "a.cl");
    let replacement = &change["replacements"][0];
    assert_eq!(replacement["deletedRegion"]["startLine"], 4);
    assert_eq!(replacement["insertedContent"]["text"], "  barrier(CLK_LOCAL_MEM_FENCE);\n");
    let without = verify("a.cl", SHIFT, &[&SIZES[..], &["--without=fixes"]].concat());
    assert!(!without.contains("fix:"), "{without}");
}

/// The kernel is verified for buffers that are apart, so no line of it mends anything.
#[test]
fn races_of_overlapping_buffers_have_no_fix() {
    // Without its other half the program cannot be executed, so its own run decides nothing.
    let text = "void elsewhere();
__global__ void shift(int *to, const int *from) {
  int i = threadIdx.x;
  to[i] = from[i + 1];
}
int main() {
  elsewhere();
  int *a;
  cudaMalloc(&a, 65 * sizeof(int));
  shift<<<1, 64>>>(a, a);
}
";
    let report = verify("a.cu", text, &[]);
    assert!(report.contains("race on") && !report.contains("fix:"), "{report}");
}

/// A barrier between the read and the write would mend these, but no line lies between the two:
/// both are of one statement, and the read is made before the write that stands above it.
#[test]
fn no_line_is_suggested_within_a_statement() {
    for value in ["s[t + 1] + 1", "t < 9 ? s[t + 1] : 0"] {
        let text = format!("__global__ void shift(int *s) {{\n  int t = threadIdx.x;\n  s[t] =\n    {value};\n}}\n");
        let report = verify("a.cu", &text, &["--block-dim=64", "--grid-dim=1"]);
        assert!(report.contains("race on") && report.contains("1 finding"), "{report}");
        assert!(!report.contains("fix:"), "{report}");
    }
}

const OF_WARP: [&str; 2] = ["--block-dim=32", "--grid-dim=1"];

#[test]
fn an_update_becomes_atomic() {
    let count = |ty: &str, update: &str| {
        format!("__global__ void count(const int *in, {ty} *bins) {{\n  {update}\n  bins[8 + threadIdx.x] = 0;\n}}\n")
    };
    let said = |ty: &str, update: &str| verify("a.cu", &count(ty, update), &OF_WARP);
    let text = said("int", "if (in[threadIdx.x] > 0) bins[in[threadIdx.x] & 7] += 2; // counts");
    let fix = "fix: `atomicAdd(&bins[in[threadIdx.x] & 7], 2)` in place of `bins[in[threadIdx.x] & 7] += 2` on line 2";
    assert!(text.contains(fix), "{text}");
    // There is no such function.
    for (ty, update) in [("long long", "bins[0]++;"), ("float", "bins[0] -= 2;"), ("volatile int", "bins[0]++;")] {
        let text = said(ty, update);
        assert!(text.contains("race on") && !text.contains("fix:"), "{ty}: {text}");
    }
    // The read still races.
    let text = said("int", "bins[0]++; bins[40 + threadIdx.x] = bins[0];");
    assert!(!text.contains("fix:"), "{text}");
    let opencl = |ty: &str| {
        let text = format!(
            "__kernel void count(__global {ty} *in, __global {ty} *n) {{\n  *n = *n + in[get_local_id(0)];\n}}\n"
        );
        verify("a.cl", &text, &["--local-size=32", "--num-groups=2"])
    };
    let text = opencl("int");
    assert!(text.contains("`atomic_add(n, in[get_local_id(0)])` in place of"), "{text}");
    assert!(!opencl("float").contains("fix:"), "OpenCL C adds integers only");
}

/// The value of the update is used, or the sum is one of another type.
#[test]
fn updates_that_are_more_stay() {
    for (body, parameters) in [
        ("int old =\n    ++x[0];\n  out[threadIdx.x] = old;", "int *x, int *out"),
        ("x[0] += in[threadIdx.x];", "int *x, const float *in"),
        ("#define STEP 1 << 2\n  x[0] = x[0] + STEP;", "int *x"),
        ("x[0] = x[0] + n bitor 1;", "int *x, int n"),
        ("x[0]++;", "short *x"),
    ] {
        let text = format!("__global__ void k({parameters}) {{\n  {body}\n}}\n");
        let report = verify("a.cu", &text, &OF_WARP);
        assert!(report.contains("race on") && !report.contains("fix: `atomic"), "{report}");
    }
}

/// The line is in a function of another kernel, too, where the barrier would diverge.
#[test]
fn fixes_leave_other_kernels_alone() {
    let text = |call: &str| {
        format!(
            "__device__ void put(int *s, int *a) {{
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[63 - threadIdx.x];
}}
__global__ void reverse(int *a) {{
  __shared__ int s[64];
  put(s, a);
}}
__global__ void other(int *a) {{
  __shared__ int s[64];
  if (threadIdx.x == 63)
    {call};
}}
"
        )
    };
    let words = ["--block-dim=64", "--grid-dim=1", "--kernel=reverse"];
    let report = verify("a.cu", &text("a[0] = s[63] = 1"), &words);
    assert!(report.contains("fix: `__syncthreads();` before line 3"), "{report}");
    let report = verify("a.cu", &text("put(s, a)"), &words);
    assert!(report.contains("race on") && !report.contains("fix:"), "{report}");
}

#[test]
fn a_barrier_of_the_warp_is_enough_within_it() {
    let text = "__global__ void reverse(int *a) {
  __shared__ int s[32];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[31 - threadIdx.x];
}
";
    let report = verify("a.cu", text, &OF_WARP);
    assert!(report.contains("fix: `__syncwarp();` before line 4"), "{report}");
    let of_block = verify("a.cu", &text.replace("31", "63").replace("32", "64"), &["--block-dim=64", "--grid-dim=1"]);
    assert!(of_block.contains("fix: `__syncthreads();` before line 4"), "{of_block}");
}

#[test]
fn a_wait_waits_for_more_copies() {
    let text = "#include <cuda_pipeline.h>
__global__ void reverse(const float *in, float *out) {
  __shared__ float s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(2 - 1);
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
";
    let report = verify("a.cu", text, &["--block-dim=64", "--grid-dim=1"]);
    let call = |number: &str| format!("`__pipeline_wait_prior({number})`");
    assert!(report.contains(&format!("fix: {} in place of {} on line 6", call("2 - 2"), call("2 - 1"))), "{report}");
    let without = verify("a.cu", &text.replace("  __syncthreads();\n", ""), &["--block-dim=64", "--grid-dim=1"]);
    assert!(!without.contains("fix:"), "two changes are needed: {without}");
}

/// The change of the kernel is right, and that of the source is none: the word has another meaning.
#[test]
fn the_changed_source_is_compiled_anew() {
    let text = |defined: &str| {
        format!(
            "#include <cuda/atomic>
{defined}
__global__ void hand_over(int *data, int *flag, int *out) {{
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {{
    *data = 42;
    ready.store(1, cuda::memory_order_relaxed);
  }} else if (ready.load(cuda::memory_order_acquire) == 1) {{
    out[blockIdx.x] = *data;
  }}
}}
"
        )
    };
    let sizes = ["--block-dim=1", "--grid-dim=4"];
    let report = verify("a.cu", &text(""), &sizes);
    assert!(report.contains("fix: `memory_order_release` in place of `memory_order_relaxed`"), "{report}");
    let report = verify("a.cu", &text("#define memory_order_release memory_order_relaxed"), &sizes);
    assert!(report.contains("LS0120") && !report.contains("`memory_order_release` in place"), "{report}");
}

#[test]
fn fixes_are_written_as_patches() {
    let folder = Folder::new(&[("a.cl", SHIFT.as_bytes())]);
    let words = [&["verify", "a.cl", "--fix-suggestions=out"], &SIZES[..]].concat();
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let place = folder.path("out/shift-1.patch");
    let patch = fs::read_to_string(&place).expect("a patch");
    let (first, diff) = patch.split_once("\n\n").expect("a line, and the diff");
    assert_eq!(first, "A fix suggested by lockstep verify --fix-suggestions, with which the kernel shift is verified.");
    let expected = "--- a/a.cl
+++ b/a.cl
@@ -1,6 +1,7 @@
 __kernel void shift(__global int *a, __local int *s) {
   int t = get_local_id(0);
   s[t] = a[get_global_id(0)];
+  barrier(CLK_LOCAL_MEM_FENCE);
   if (t > 0)
     a[get_global_id(0)] = s[t - 1];
 }
";
    assert_eq!(diff, expected);
    // Patches are written again, other files are not.
    assert_eq!(folder.run(&words).status.code(), Some(1));
    fs::write(&place, "mine\n").expect("a folder");
    let refused = folder.run(&words);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    assert_eq!(fs::read_to_string(&place).expect("a file"), "mine\n");
    let victim = folder.path("victim");
    fs::remove_file(&place).and_then(|()| symlink(&victim, &place)).expect("a link");
    let refused = folder.run(&words);
    assert_eq!((refused.status.code(), victim.exists()), (Some(3), false), "{refused:?}");
}

/// Only what Clang compiles can have another text; a PTX kernel and one of a file that Clang reads
/// under another name have no fix.
#[test]
fn texts_that_cannot_be_replaced_have_no_fix() {
    let replaced = FrontendOptions { replaced: Some("".into()), ..FrontendOptions::default() };
    let folder = Folder::new(&[("a.ptx", b""), ("a.kernel", b""), ("a.ll", b""), ("@a.cl", b""), ("a;b.cl", b"")]);
    for name in ["a.ptx", "a.kernel", "a.ll", "@a.cl", "a;b.cl"] {
        let refused = import(&folder.path(name), &replaced).expect_err("it cannot be replaced");
        assert!(refused.to_string().contains("replaced"), "{name}: {refused}");
    }
}

/// A barrier in a conditional, which is moved behind it.
const IN_CONDITIONAL: &str = "__global__ void halve(int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) {
      s[t] += s[t + d];
      __syncthreads();
    }
  }
  a[t] = s[t];
}
";

#[test]
fn a_barrier_is_moved_in_each_format() {
    let sizes = ["--block-dim=64", "--grid-dim=1"];
    let text = verify("a.cu", IN_CONDITIONAL, &sizes);
    let said = "fix: move `__syncthreads();` on line 9 before line 11; with this the kernel is verified";
    assert!(text.contains(said), "{text}");
    let json = verify("a.cu", IN_CONDITIONAL, &[&sizes[..], &["--format=json"]].concat());
    let report: Value = serde_json::from_str(&json).expect("a report");
    let fix = &report["kernels"][0]["fix"];
    let removal = &fix["removals"][0];
    assert_eq!((&removal["line"], &removal["statement"]), (&9.into(), &"__syncthreads();".into()), "{fix}");
    assert_eq!(fix["insertions"][0]["line"], 11, "{fix}");
    let sarif = verify("a.cu", IN_CONDITIONAL, &[&sizes[..], &["--format=sarif"]].concat());
    let log: Value = serde_json::from_str(&sarif).expect("SARIF");
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    let region = &change["replacements"][1]["deletedRegion"];
    assert_eq!((&region["startLine"], &region["endLine"]), (&9.into(), &10.into()), "{change}");
    let folder = Folder::new(&[("a.cu", IN_CONDITIONAL.as_bytes())]);
    folder.run(&[&["verify", "a.cu", "--fix-suggestions=fixes"], &sizes[..]].concat());
    let patch = fs::read_to_string(folder.path("fixes/halve-1.patch")).expect("a patch");
    assert!(patch.contains("\n-      __syncthreads();\n     }\n+    __syncthreads();\n"), "{patch}");
}

/// A block that waits or chooses by a counter, under this condition.
fn by_counter(condition: &str) -> String {
    format!(
        "__global__ void choose(int *count, int *data, int *out) {{
  if (threadIdx.x == 0) {{
    if (blockIdx.x == 0) {{
      *data = 1;
      __threadfence();
      atomicExch(count, 1);
    }} else {{
      {condition}
      __threadfence();
      out[blockIdx.x] = *data;
    }}
  }}
}}
"
    )
}

#[test]
fn a_wait_ends_later() {
    let text = verify("a.cu", &by_counter("while (atomicAdd(count, 0) < 0) {}"), &["--block-dim=32"]);
    assert!(text.contains("fix: `while (atomicAdd(count, 0) <= 0) {}` in place of"), "{text}");
}

/// The proof says yes to a wait that never ends, and to code that nobody comes to.
#[test]
fn a_condition_that_hides_the_race_mends_nothing() {
    for condition in ["while (atomicAdd(count, 0) == 5) {}", "if (atomicAdd(count, 0) < -4) return;"] {
        let text = verify("a.cu", &by_counter(condition), &["--block-dim=32", "--without=preconditions"]);
        assert!(!text.contains("fix:"), "{condition}: {text}");
    }
}

/// A lock that is given back once must still be given back.
#[test]
fn a_superfluous_unlock_is_removed() {
    let section = |behind: &str| {
        format!(
            "__global__ void add(int *lock, int *sum) {{
  if (threadIdx.x == 0) {{
    while (atomicCAS(lock, 0, 1) != 0) {{}}
    __threadfence();
    *sum = 3 * *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
    {behind}
  }}
}}
"
        )
    };
    let text = verify("a.cu", &section("atomicExch(lock, 0);"), &["--block-dim=32"]);
    assert!(text.contains("fix: remove `atomicExch(lock, 0);` on line "), "{text}");
    // Another kernel has the line, too.
    let (unlock, other) = ("__device__ void unlock(int *lock) {", "__global__ void other(int *lock) { unlock(lock); }");
    let shared = format!("{unlock}\n  atomicExch(lock, 0);\n}}\n{}{other}\n", section("unlock(lock);"));
    let text = verify("a.cu", &shared, &["--block-dim=32", "--kernel=add"]);
    assert!(!text.contains("remove `atomicExch(lock, 0);` on line 2"), "{text}");
}

/// Places at which the statement would not be executed, or would not see what it uses.
#[test]
fn statements_stay_where_they_mean_something() {
    let sizes = ["--block-dim=32", "--without=preconditions"];
    let hand_over = |writer: &str, before: &str| {
        format!(
            "__device__ void next(int &i) {{ i += 1; }}
__global__ void hand_over(int *data, int *from, volatile int *flag, int *out, int n) {{
  if (threadIdx.x != 0) return;
  int i = 0;
  if (blockIdx.x == 0) {{
    {writer}
  }}
  {before}
  out[blockIdx.x] = data[1];
}}
"
        )
    };
    let wait = "else {\n    while (*flag == 0) {}\n    __threadfence();\n  }";
    let cases = [
        // Nobody comes behind the return.
        hand_over("data[1] = n;\n    __threadfence();\n    atomicExch((int *)flag, 1);\n    return;", ""),
        // The statement reads what a line on the way writes.
        hand_over("__threadfence();\n    from[5] = n;\n    *flag = 1;\n    data[1] = from[5] + 1;", wait),
        hand_over("__threadfence();\n    next(i);\n    *flag = 1;\n    data[i] = n;", wait),
        hand_over("__threadfence();\n    int *p = &i;\n    *p = 1;\n    *flag = 1;\n    data[i] = n;", wait),
    ];
    for text in cases {
        let said = verify("a.cu", &text, &sizes);
        assert!(!said.contains("fix: move"), "{text}{said}");
    }
}

/// With ten groups, the changed kernels wait for ever.
#[test]
fn fixes_end_in_larger_launches_too() {
    let sizes = ["--block-dim=32", "--without=preconditions"];
    let all_but_one = "__global__ void all(int *data, int *count, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x != 9) {
      data[blockIdx.x] = blockIdx.x;
      __threadfence();
      atomicAdd(count, 1);
    }
    if (blockIdx.x == 0) {
      while (atomicAdd(count, 0) < gridDim.x - 1) {}
      __threadfence();
      int s = 0;
      for (int i = 0; i < gridDim.x; i++) s += data[i];
      out[0] = s;
    }
  }
}
";
    let only_unlock_of_some = "__global__ void add(int *lock, int *sum) {
  if (threadIdx.x == 0) {
    if (blockIdx.x != 0) {
      while (atomicCAS(lock, 0, 1) != 0) {}
      __threadfence();
      *sum = *sum * 2 + 1;
      if (blockIdx.x < 8) {
        __threadfence();
        atomicExch(lock, 0);
      }
    }
    if (blockIdx.x == 0 || blockIdx.x >= 8) {
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}
";
    for text in [all_but_one, only_unlock_of_some] {
        let said = verify("a.cu", text, &sizes);
        assert!(!said.contains("fix:"), "{said}");
    }
}
