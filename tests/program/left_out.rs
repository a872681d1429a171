//! Host code that does not compile: the parts that are left out, and the notes about them.

use serde_json::Value;

use crate::command::Folder;

/// The report on a CUDA file, and the messages on stderr.
#[track_caller]
fn report(source: &str) -> (Value, String) {
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--block-dim=64", "--format=json"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}")), said)
}

/// The parts that are left out: kind, name, line, number and error.
fn left_out(report: &Value) -> Vec<String> {
    let all = report["left_out"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |of: &Value| of.as_str().map_or_else(|| of.to_string(), str::to_owned);
    all.iter().map(|left| ["part", "name", "line", "number", "error"].map(|key| text(&left[key])).join(" ")).collect()
}

const KERNEL: &str = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";

#[test]
fn each_part_is_named_with_its_first_error() {
    let source = format!(
        "#include <mpi.h>\nMPI_Comm all; int rank;\ntypedef struct {{ MPI_Comm to; int *a; }} Sender;\n{KERNEL}\
         void send(MPI_Comm to) {{}}\n\
         class Host {{\n  int size;\npublic:\n  Host() : size(MPI_Size()) {{}}\n  ~Host() {{ MPI_Finalize(); }}\n}};\n\
         int main() {{\n  int n = 0; MPI_Init(&n); k<<<1, 64>>>(0);\n  if (n) {{ MPI_Abort(n); }} else {{ n = MPI_N; }}\n}}\n"
    );
    let (report, said) = report(&source);
    let expected = [
        "header mpi.h 1 1 'mpi.h' file not found",
        "declaration all 2 1 unknown type name 'MPI_Comm'",
        "declaration Sender 3 1 unknown type name 'MPI_Comm'",
        "declaration send 5 1 unknown type name 'MPI_Comm'",
        "body Host 9 1 use of undeclared identifier 'MPI_Size'",
        "statements ~Host 10 1 use of undeclared identifier 'MPI_Finalize'",
        "statements main 12 3 use of undeclared identifier 'MPI_Init'",
    ];
    assert_eq!(left_out(&report), expected, "{said}");
    assert_eq!(report["kernels"][0]["verdict"], "verified");
    for note in [
        "note: a.cu:1: mpi.h was not found and is taken to be empty",
        "note: a.cu:2: host declaration all is left out: unknown type name 'MPI_Comm'",
        "note: a.cu:12: host function main is left out in part, 3 statements: use of undeclared identifier 'MPI_Init'",
    ] {
        assert!(said.contains(note), "{said}");
    }
}

#[test]
fn a_source_that_compiles_loses_nothing() {
    let (report, said) = report(&format!("{KERNEL}int main() {{ k<<<1, 64>>>(0); }}\n"));
    assert!(left_out(&report).is_empty() && !said.contains("note:"), "{said}");
}

#[test]
fn places_stay_as_they_are() {
    let broken = "/* over\n   lines */ void f() { undeclared(\n  1); } __global__ void k(int *a) {\n  \
                  int i = 0; /* c */   a[i]   = threadIdx.x;\n}\n";
    let (report, said) = report(broken);
    let access = &report["kernels"][0]["findings"][0]["accesses"][0];
    assert_eq!((access["line"].as_u64(), access["column"].as_u64()), (Some(4), Some(24)), "{said}{report:#}");
}

#[test]
fn statements_end_where_macros_do() {
    let source = format!(
        "{KERNEL}#define CHECK(call) do {{ int e = (call); if (e != GOOD) stop(e); }} while (0)\n\
         #define BOTH a(); b();\n\
         template <int N> __global__ void t(int *a) {{ a[threadIdx.x + N] = 1; }}\n\
         int main() {{\n  CHECK(start(\n    1,\n    2));\n  t<1><<<1, 64>>>(0); CHECK(other()); t<2><<<1, 64>>>(0);\n\
         #pragma omp parallel for\n  for (int i = lower(); i < 2; i++) {{ t<3><<<1, 64>>>(0); }}\n\
         #ifdef NEVER\n  don't {{\n#endif\n  t<4><<<1, 64>>>(0);\n}}\n"
    );
    let (report, said) = report(&source);
    let names: Vec<&str> =
        report["kernels"].as_array().expect("kernels").iter().filter_map(|kernel| kernel["name"].as_str()).collect();
    assert_eq!(names, ["k", "t<1>", "t<2>", "t<4>"], "{said}");
    assert_eq!(left_out(&report), ["statements main 5 3 use of undeclared identifier 'start'"], "{said}");
}

/// The kernel IR of a program, whose locations are part of it.
fn kernel_ir(folder: &Folder) -> String {
    let output = folder.run(&["inspect", "a.cu", "--stage=kernel"]);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn device_code_stays_as_it_is() {
    let programs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/programs");
    for name in ["gravity.cu", "heat_cooperative.cu", "reductions.cu"] {
        let source = std::fs::read(programs.join(name)).expect("a program");
        let whole = kernel_ir(&Folder::new(&[("a.cu", &source)]));
        let broken = [&source[..], b"\nstatic void broken() { undeclared(); }\n"].concat();
        assert!(whole.contains("kernel "), "{name}");
        assert_eq!(kernel_ir(&Folder::new(&[("a.cu", &broken)])), whole, "{name}");
    }
}

#[test]
fn errors_in_device_code_remain_errors() {
    let source = "#include <mpi.h>\n__global__ void k(int *a) { a[threadIdx.x] = MPI_RANK; }\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu"]);
    let said = String::from_utf8_lossy(&output.stderr);
    let kept = "is left out, but not this: use of undeclared identifier 'MPI_RANK' (it is device code)";
    assert!(
        output.status.code() == Some(3) && said.contains("'mpi.h' file not found") && said.contains(kept),
        "{said}"
    );
}

#[test]
fn headers_with_device_code_are_not_taken_to_be_empty() {
    for name in ["kernels.cuh", "../outside.h", "/nowhere/outside.h"] {
        let source = format!("#include \"{name}\"\n{KERNEL}");
        let folder = Folder::new(&[("a.cu", source.as_bytes())]);
        let output = folder.run(&["verify", "a.cu"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(3) && said.contains(&format!("'{name}' file not found")), "{said}");
    }
}
