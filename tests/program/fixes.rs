//! Suggested fixes in reports.

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
