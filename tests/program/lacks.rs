//! The properties that operations lack, in reports.

use serde_json::Value;

use crate::command::Folder;

/// Two blocks that signal each other, with places for what a test takes away.
fn hand_over(before: &str, behind: &str, add: &str) -> String {
    format!(
        "__global__ void hand_over(int *data, int *is_ready, int *out) {{
  if (blockIdx.x == 0) {{
    *data = 1;
    {before}
    atomicExch(is_ready, 1);
  }} else {{
    while ({add}(is_ready, 0) == 0) {{}}
    {behind}
    *out = *data;
  }}
}}
"
    )
}

fn report(text: &str, words: &[&str]) -> Value {
    let folder = Folder::new(&[("a.cu", text.as_bytes())]);
    let output = folder.run(&[&["verify", "a.cu", "--format=json"], words].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["kernels"][0].clone()
}

/// The code of the finding, and the lines and properties that it names.
fn lacks(kernel: &Value) -> (String, Vec<(u64, String)>) {
    let finding = &kernel["findings"][0];
    let lack = |lack: &Value| {
        let (line, order) = (lack["line"].as_u64().expect("a line"), lack["order"].as_str().expect("an order"));
        (line, order.to_owned())
    };
    let all = finding["lacks"].as_array().map_or(&[][..], Vec::as_slice);
    (finding["code"].as_str().expect("a code").to_owned(), all.iter().map(lack).collect())
}

const SIZES: [&str; 2] = ["--block-dim=1", "--grid-dim=2"];

#[test]
fn each_property_has_its_code() {
    let fence = "__threadfence();";
    let of = |line: u64, order: &str| (line, order.to_owned());
    let cases = [
        (hand_over("", fence, "atomicAdd"), "LS0120", vec![of(5, "release")]),
        (hand_over(fence, "", "atomicAdd"), "LS0121", vec![of(7, "acquire")]),
        (hand_over("", "", "atomicAdd"), "LS0122", vec![of(5, "release"), of(7, "acquire")]),
        (hand_over(fence, fence, "atomicAdd_block"), "LS0119", vec![of(7, "scope")]),
        (hand_over("__threadfence_block();", fence, "atomicAdd"), "LS0119", vec![of(4, "scope")]),
    ];
    for (text, code, expected) in cases {
        let kernel = report(&text, &[&SIZES[..], &["--without=fixes"]].concat());
        assert_eq!(lacks(&kernel), (code.to_owned(), expected), "{text}");
    }
}

/// In launch order, the second thread counts after the first one, as if the counter had told it.
#[test]
fn an_unrelated_counter_explains_no_race() {
    let text = "__global__ void shift(int *a, unsigned *count) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  atomicAdd(count, 1u);
  a[threadIdx.x] = s[(threadIdx.x + 63) % 64];
}
";
    let kernel = report(text, &["--block-dim=64", "--grid-dim=1", "--without=fixes"]);
    assert_eq!(lacks(&kernel), ("LS0101".to_owned(), Vec::new()));
}

#[test]
fn a_word_is_replaced_in_each_format() {
    let text = hand_over("__threadfence();", "__threadfence();", "atomicAdd_block");
    let kernel = report(&text, &SIZES);
    let replacement = &kernel["fix"]["replacements"][0];
    let number = |key: &str| replacement[key].as_u64();
    assert_eq!((number("line"), number("column")), (Some(7), Some(12)), "{kernel}");
    assert_eq!((&replacement["old"], &replacement["new"]), (&"atomicAdd_block".into(), &"atomicAdd".into()));
    let folder = Folder::new(&[("a.cu", text.as_bytes())]);
    let said = |words: &[&str]| {
        let output = folder.run(&[&["verify", "a.cu"], &SIZES[..], words].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let shown = said(&[]);
    let line = "fix: `atomicAdd` in place of `atomicAdd_block` on line 7; with this the kernel is verified";
    assert!(shown.contains(line), "{shown}");
    let log: Value = serde_json::from_str(&said(&["--format=sarif"])).expect("SARIF");
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "atomicAdd");
    let region = &change["deletedRegion"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"], &region["endColumn"]),
        (&7.into(), &12.into(), &27.into())
    );
}

#[test]
fn orders_of_opencl_are_replaced() {
    let text = "kernel void hand_over(global int *data, global atomic_int *is_ready, global int *out) {
  if (get_group_id(0) == 0) {
    *data = 1;
    atomic_store_explicit(is_ready, 1, memory_order_relaxed, memory_scope_work_group);
  } else {
    while (atomic_load_explicit(is_ready, memory_order_relaxed, memory_scope_device) == 0) {}
    *out = *data;
  }
}
";
    let folder = Folder::new(&[("a.cl", text.as_bytes())]);
    let output = folder.run(&["verify", "a.cl", "--local-size=1", "--num-groups=2"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    let words = [
        "`memory_order_release` in place of `memory_order_relaxed` on line 4",
        "`memory_scope_device` in place of `memory_scope_work_group` on line 4",
        "`memory_order_acquire` in place of `memory_order_relaxed` on line 6",
    ];
    assert!(words.iter().all(|word| shown.contains(word)), "{shown}");
}

/// A critical section of each block, between these lines and with this lock.
fn section(before: &str, lock: &str, behind: &str) -> String {
    format!(
        "__global__ void add(int *locks, int *sum) {{
  if (threadIdx.x == 0) {{
    {before}
    while (atomicCAS(&locks[{lock}], 0, 1) != 0) {{}}
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(&locks[{lock}], 0);
    {behind}
  }}
}}
"
    )
}

#[test]
fn the_locks_of_both_threads_are_told() {
    let sizes = ["--block-dim=2", "--without=fixes", "--without=preconditions"];
    let finding = |text: &str| report(text, &sizes)["findings"][0].clone();
    let found = finding(&section("", "blockIdx.x", ""));
    assert_eq!(found["code"], "LS0124", "{found}");
    let held = &found["locks"]["held"];
    let of = |index: usize| (held[index][0]["lock"]["place"].clone(), held[index][0]["line"].clone());
    assert_eq!([of(0), of(1)], [("locks[0]".into(), 4.into()), ("locks[1]".into(), 4.into())], "{found}");
    assert!(found["locks"]["given_back"].is_null(), "{found}");

    let found = finding(&section("", "0", "atomicExch(&locks[0], 0);"));
    assert_eq!((&found["code"], &found["locks"]["given_back"]["line"]), (&"LS0125".into(), &9.into()), "{found}");

    // One of the two accesses is outside of the critical section.
    let found = finding(&section("*sum = 0;", "0", ""));
    let held = found["locks"]["held"].as_array().expect("two lists");
    let empty = held.iter().filter(|held| held.as_array().is_some_and(Vec::is_empty)).count();
    assert_eq!((&found["code"], empty), (&"LS0101".into(), 1), "{found}");

    // A contest that is held once is no lock.
    let contest = section("", "blockIdx.x", "").replace("atomicExch(&locks[blockIdx.x], 0);", "");
    let found = finding(&contest);
    assert_eq!((&found["code"], &found["locks"]), (&"LS0101".into(), &Value::Null), "{found}");
}

/// A lock is told only if the thread of the access has it, by itself or through a barrier.
#[test]
fn locks_of_others_are_not_told() {
    let sizes = ["--block-dim=64", "--without=fixes", "--without=preconditions"];
    let beside = "__global__ void add(int *locks, int *sum, int *own) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&locks[blockIdx.x], 0, 1) != 0) {}
    __threadfence();
    for (int i = 0; i < 100; i++) own[blockIdx.x] += 1;
    __threadfence();
    atomicExch(&locks[blockIdx.x], 0);
  }
  BARRIER
  if (threadIdx.x == 33) *sum = 1 + *sum;
}
";
    let found = report(&beside.replace("BARRIER", ""), &sizes)["findings"][0].clone();
    assert_eq!((&found["code"], &found["locks"]), (&"LS0101".into(), &Value::Null), "{found}");

    // The consumer gives back what producers take, and rightly so.
    let semaphore = "__global__ void hand(int *empty, volatile int *full, int *slot, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) {
    while (atomicCAS(empty, 0, 1) != 0) {}
    __threadfence();
    slot[0] = blockIdx.x;
    __threadfence();
    *full = 1;
    slot[1] = blockIdx.x;
  } else {
    for (int i = 1; i < gridDim.x; i++) {
      while (*full == 0) {}
      __threadfence();
      out[i] = slot[0];
      *full = 0;
      __threadfence();
      atomicExch(empty, 0);
    }
  }
}
";
    let found = report(semaphore, &sizes)["findings"][0].clone();
    assert_eq!((&found["code"], &found["locks"]["given_back"]), (&"LS0101".into(), &Value::Null), "{found}");
}
