//! Programs of several files in CUDA and HIP: which files belong together, and their launches.

use crate::command::Folder;

/// Rows are as long as the host says: 64 or more keep them apart.
const ROWS: &str = "__global__ void k(int *a, int width) { a[blockIdx.x * width + threadIdx.x] = blockIdx.x; }\n";

const LAUNCH: &str = "void launch(int *a, int width) { k<<<4, 64>>>(a, width); }\n";

/// A file with a `main` that has these statements.
fn main_of(declared: &str, body: &str) -> String {
    format!(
        "#include <cuda_runtime.h>\n{declared}\nint main() {{\n  int *a;\n  cudaMalloc(&a, 4096);\n  {body}\n  return 0;\n}}\n"
    )
}

/// A `main` that launches through `launch`, with this width.
fn launching(width: &str) -> String {
    main_of("void launch(int *a, int width);", &format!("launch(a, {width});"))
}

/// The worst report on a kernel of the inputs, of which there is one for each launch, and what else
/// is said.
#[track_caller]
fn report(files: &[(&str, &str)], words: &[&str]) -> (serde_json::Value, String) {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let folder = Folder::new(&files);
    let output = folder.run(&[&["verify", "--format=json", "--without=preconditions"], words].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no report: {said}"));
    let order = ["defect", "unknown", "verified"];
    let rank = |kernel: &&serde_json::Value| order.iter().position(|verdict| kernel["verdict"] == *verdict);
    let reports = report["kernels"].as_array().unwrap_or_else(|| panic!("no kernels: {said}"));
    (reports.iter().min_by_key(rank).cloned().unwrap_or_default(), said)
}

/// The worst verdict on a kernel of a folder.
#[track_caller]
fn verdict(files: &[(&str, &str)]) -> String {
    let (kernel, said) = report(files, &["."]);
    kernel["verdict"].as_str().unwrap_or_else(|| panic!("{kernel} {said}")).to_owned()
}

#[test]
fn the_file_with_main_gives_the_arguments() {
    let kernels = format!("{ROWS}{LAUNCH}");
    for (width, expected) in [("64", "verified"), ("32", "defect")] {
        let main = launching(width);
        for ending in ["cpp", "cu"] {
            let name = format!("main.{ending}");
            assert_eq!(verdict(&[("k.cu", &kernels), (&name, &main)]), expected, "{width} {ending}");
        }
    }
}

#[test]
fn files_are_named_or_found_in_a_folder_or_listed() {
    let kernels = format!("{ROWS}{LAUNCH}");
    let main = launching("32");
    let listed = r#"[{"directory": ".", "file": "k.cu", "command": "nvcc -c k.cu"},
        {"directory": ".", "file": "main.cpp", "command": "g++ -c main.cpp"}]"#;
    let files = [("k.cu", kernels.as_str()), ("main.cpp", &main), ("build/compile_commands.json", listed)];
    let listed = listed.replace("\".\"", "\"..\"");
    let files = [files[0], files[1], (files[2].0, listed.as_str())];
    for words in [
        vec!["."],
        vec!["k.cu", "main.cpp"],
        vec!["k.cu", "--host=main.cpp"],
        vec!["build/compile_commands.json", "--allow-read=."],
    ] {
        let (kernel, said) = report(&files, &words);
        assert_eq!(kernel["verdict"], "defect", "{words:?}: {said} {kernel}");
        assert_eq!(kernel["findings"][0]["parameters"]["width"], "32", "{words:?}: {kernel}");
    }
    // Alone, the file says nothing of the width.
    let (kernel, _) = report(&files, &["k.cu"]);
    assert_ne!(kernel["findings"][0]["parameters"]["width"], "32", "{kernel}");
}

#[test]
fn a_kernel_is_launched_from_another_file() {
    for (width, expected) in [("64", "verified"), ("32", "defect")] {
        let main = main_of("__global__ void k(int *a, int width);", &format!("k<<<4, 64>>>(a, {width});"));
        assert_eq!(verdict(&[("k.cu", ROWS), ("main.cu", &main)]), expected, "{width}");
    }
}

#[test]
fn files_are_found_one_behind_another() {
    let kernels = format!("{ROWS}{LAUNCH}");
    let middle =
        "int width_of_rows();\nvoid launch(int *a, int width);\nvoid middle(int *a) { launch(a, width_of_rows()); }\n";
    let main = main_of("void middle(int *a);", "middle(a);");
    for (width, expected) in [("64", "verified"), ("32", "defect")] {
        let settings = "extern const int rows;\nint width_of_rows() { return rows; }\n";
        let constant = format!("extern const int rows;\nconst int rows = {width};\n");
        let files = [
            ("k.cu", kernels.as_str()),
            ("middle.cpp", middle),
            ("main.cpp", &main),
            ("s.cpp", settings),
            ("c.cpp", &constant),
        ];
        assert_eq!(verdict(&files), expected, "{width}");
    }
}

#[test]
fn the_launches_of_each_program_count() {
    let kernels = format!("{ROWS}{LAUNCH}");
    for (width, expected) in [("128", "verified"), ("32", "defect")] {
        let (app, test) = (launching("64"), launching(width));
        let files = [("k.cu", kernels.as_str()), ("app.cpp", app.as_str()), ("test.cpp", test.as_str())];
        assert_eq!(verdict(&files), expected, "{width}");
    }
}

#[test]
fn the_nearest_of_several_definitions_counts() {
    let kernels = format!("int width_of_rows();\n{ROWS}void launch(int *a) {{ k<<<4, 64>>>(a, width_of_rows()); }}\n");
    let main = main_of("void launch(int *a);", "launch(a);");
    let (wide, narrow) = ("int width_of_rows() { return 64; }\n", "int width_of_rows() { return 32; }\n");
    let with = |first: &'static str, second: &'static str| {
        [("a/k.cu", kernels.as_str()), ("a/main.cpp", main.as_str()), ("a/w.cpp", first), ("b/w.cpp", second)]
    };
    assert_eq!(verdict(&with(wide, narrow)), "verified");
    assert_eq!(verdict(&with(narrow, wide)), "defect");
    // The build may take either of two that are equally near.
    let files = [("k.cu", kernels.as_str()), ("main.cpp", main.as_str()), ("wide.cpp", wide), ("narrow.cpp", narrow)];
    let (kernel, said) = report(&files, &["."]);
    assert_eq!(kernel["verdict"], "unknown", "{said}{kernel}");
}

/// A file that calls a function of a nearer file of the same name does not launch the kernel.
#[test]
fn a_caller_belongs_to_the_nearest_file() {
    let kernels = format!("{ROWS}{LAUNCH}");
    let (right, wrong) = (launching("64"), launching("32"));
    let other = "void launch(int *a, int width) {}\n";
    let apart = [("a/k.cu", kernels.as_str()), ("a/main.cpp", &right), ("b/main.cpp", &wrong), ("b/launch.cpp", other)];
    assert_eq!(verdict(&apart), "verified");
    let without = [apart[0], apart[1], apart[2]];
    assert_eq!(verdict(&without), "defect");
}

#[test]
fn kernels_of_one_name_in_two_files_are_not_confused() {
    let own = |width: &str, name: &str| {
        let kernel = ROWS.replace("__global__", "static __global__");
        format!("{kernel}void {name}(int *a) {{ k<<<4, 64>>>(a, {width}); }}\n")
    };
    let main = main_of("void first(int *a); void second(int *a);", "first(a); second(a);");
    for (width, expected) in [("64", "verified"), ("32", "defect")] {
        let (first, second) = (own(width, "first"), own("64", "second"));
        let (kernel, said) =
            report(&[("a.cu", &first), ("b.cu", &second), ("main.cpp", &main)], &["a.cu", "b.cu", "main.cpp"]);
        assert_eq!(kernel["verdict"], expected, "{said}{kernel}");
        assert!(said.is_empty(), "{said}");
    }
}

/// Each file has its own variable, and a run of the whole program keeps the two apart.
#[test]
fn variables_of_one_name_in_two_files_are_not_confused() {
    let own = |kernel: &str, value: &str| {
        format!(
            "__constant__ int to[64];\n__global__ void {kernel}(int *a) {{ a[to[threadIdx.x]] = threadIdx.x; }}\n\
             void start_{kernel}(int *a) {{ {kernel}<<<1, 64>>>(a); }}\n\
             void fill_{kernel}() {{\n  int host[64];\n  for (int i = 0; i < 64; i++) host[i] = {value};\n  \
             cudaMemcpyToSymbol(to, host, sizeof host);\n}}\n"
        )
    };
    let declared = "void fill_k(); void fill_l(); void start_k(int *a); void start_l(int *a);";
    let main = main_of(declared, "fill_k(); fill_l(); start_k(a); start_l(a);");
    for (values, racy) in [(["i", "i / 2"], "l"), (["i / 2", "i"], "k")] {
        let [first, second] = [own("k", values[0]), own("l", values[1])];
        for inputs in [["a.cu", "b.cu"], ["b.cu", "a.cu"]] {
            let files = [("a.cu", first.as_bytes()), ("b.cu", second.as_bytes()), ("main.cpp", main.as_bytes())];
            let host = format!("--host={}", inputs[1]);
            let output = Folder::new(&files).run(&["run", inputs[0], "--program", &host, "--host=main.cpp"]);
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(1), "{text}");
            let (defect, right) = if racy == "k" { ("k", "l") } else { ("l", "k") };
            assert!(text.contains(&format!("defect {defect}")) && text.contains(&format!("ran {right}")), "{text}");
        }
    }
}

#[test]
fn a_main_in_c_is_read_as_c() {
    let kernels = format!("{ROWS}extern \"C\" {LAUNCH}");
    for (width, expected) in [("64", "verified"), ("32", "defect")] {
        let main = format!(
            "#include <stdlib.h>\nvoid launch(int *a, int width);\nint main() {{\n  int *class = malloc(4);\n  \
             launch(class, {width});\n  return 0;\n}}\n"
        );
        assert_eq!(verdict(&[("k.cu", &kernels), ("main.c", &main)]), expected, "{width}");
    }
}

/// Plain C++ may have things of the names that CUDA's compiler knows.
#[test]
fn plain_files_may_use_the_toolkit_s_names() {
    let kernels = format!("{ROWS}{LAUNCH}");
    let main = "struct float4 { float x; };\nstatic int max(int a, int b) { return a > b ? a : b; }\n\
        #ifdef __CUDACC__\n#error no compiler of CUDA\n#endif\nvoid launch(int *a, int width);\n\
        int main() { float4 v = {1}; launch(nullptr, max(32, 64)); return int(v.x) - 1; }\n";
    assert_eq!(verdict(&[("k.cu", &kernels), ("main.cpp", main)]), "verified");
    let narrow = main.replace("max(32, 64)", "max(32, 16)");
    assert_eq!(verdict(&[("k.cu", &kernels), ("main.cpp", &narrow)]), "defect");
}

#[test]
fn a_file_that_cannot_be_read_may_launch_in_any_way() {
    let kernels = "__global__ void k(int *a) { a[threadIdx.x] = blockIdx.x; }\n\
        void launch(int *a) { k<<<1, 64>>>(a); }\n";
    let broken = "__global__ void k(int *a);\nint main() { k<<<2, 64>>>(missing); }\n";
    let (kernel, said) = report(&[("k.cu", kernels), ("main.cu", broken)], &["."]);
    assert!(said.contains("main.cu: its host code is not looked at: "), "{said}");
    assert_ne!(kernel["verdict"], "verified", "{kernel}");
    assert_eq!(verdict(&[("k.cu", kernels)]), "verified");
}

/// It may call the function that launches with other numbers, unless it has a function of this name
/// itself.
#[test]
fn a_caller_that_cannot_be_read_may_pass_anything() {
    let kernels = format!("{ROWS}{LAUNCH}");
    let main = launching("64");
    for (broken, expected) in [
        ("void launch(int *a, int width);\nvoid other() { launch(missing, 32); }\n", false),
        ("struct App { void launch(int *a) { ::launch(a, missing); } };\n", false),
        ("int launch() { return missing; }\nint main() { return launch(); }\n", true),
        ("void other() { missing(); }\n", true),
    ] {
        let (kernel, said) = report(&[("k.cu", &kernels), ("main.cpp", &main), ("broken.cpp", broken)], &["."]);
        assert_eq!(kernel["verdict"] == "verified", expected, "{broken}{said}{kernel}");
        let output = Folder::new(&[
            ("k.cu", kernels.as_bytes()),
            ("main.cpp", main.as_bytes()),
            ("broken.cpp", broken.as_bytes()),
        ])
        .run(&["verify", ".", "--without=preconditions"]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.contains("as broken.cpp may launch it in an unknown way"), !expected, "{text}");
    }
}

#[test]
fn programs_in_hip_have_several_files() {
    let kernels = format!("#include <hip/hip_runtime.h>\n{ROWS}{LAUNCH}");
    for (width, expected) in [("64", "verified"), ("32", "defect")] {
        let main = launching(width).replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cudaMalloc", "hipMalloc");
        assert_eq!(verdict(&[("k.hip", &kernels), ("main.cpp", &main)]), expected, "{width}");
    }
}

/// Each thread adds to the place that a table of the other file names.
#[test]
fn runs_execute_all_files() {
    let kernels = "__global__ void scatter(const int *to, float *out, int n) {\n  \
        int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[to[i]] += 1.0f;\n}\n\
        void launch(const int *to, float *out, int n) { scatter<<<n / 64, 64>>>(to, out, n); }\n";
    let other = "__global__ void clear(float *out) { out[threadIdx.x] = 0; }\n\
        void clear_all(float *out) { clear<<<1, 256>>>(out); }\n";
    let main = |index: &str| {
        format!(
            "#include <cuda_runtime.h>\n#include <vector>\nvoid launch(const int *to, float *out, int n);\nvoid clear_all(float *out);\n\
             int main() {{\n  const int n = 256;\n  std::vector<int> to(n);\n  for (int i = 0; i < n; i++) to[i] = {index};\n  \
             int *t; float *o;\n  cudaMalloc(&t, n * sizeof(int)); cudaMalloc(&o, n * sizeof(float));\n  clear_all(o);\n  \
             cudaMemcpy(t, to.data(), n * sizeof(int), cudaMemcpyHostToDevice);\n  launch(t, o, n);\n  return 0;\n}}\n"
        )
    };
    for (index, verdict, status) in [("(i * 37 + 5) % n", "unknown", 0), ("i / 2", "defect", 1)] {
        let main = main(index);
        let files = [("k.cu", kernels), ("other.cu", other), ("main.cpp", main.as_str())];
        let (kernel, said) = report(&files, &["."]);
        assert_eq!(kernel["verdict"], verdict, "{index}: {said}{kernel}");
        if verdict == "defect" {
            let command = kernel["findings"][0]["command"].as_str().unwrap_or_default();
            assert!(
                command.contains("--program")
                    && command.contains("--host=main.cpp")
                    && command.contains("--host=other.cu"),
                "{command}"
            );
        }
        let bytes = files.map(|(name, text)| (name, text.as_bytes()));
        let output = Folder::new(&bytes).run(&["run", "k.cu", "--program", "--host=main.cpp", "--host=other.cu"]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(status), "{text}");
        assert!(text.contains("launched at k.cu:5") && text.contains("launched at other.cu:2"), "{text}");
    }
}

/// A host that launches `k` through the driver.
fn driver(declared: &str, before: &str, handle: &str) -> String {
    format!(
        "#include <cuda.h>\n{declared}\nint main() {{\n  CUmodule module; CUdeviceptr a; int width = 64;\n  \
         cuModuleLoad(&module, \"k.ptx\");\n  cuMemAlloc(&a, 4096);\n  void *arguments[] = {{&a, &width}};\n  {before}\n  \
         cuLaunchKernel({handle}, 1, 1, 1, 64, 1, 1, 0, 0, arguments, 0);\n  return 0;\n}}\n"
    )
}

/// All groups write to the same places. Only a launch of one group is free of races.
const OF_ONE_GROUP: &str = "extern \"C\" __global__ void k(int *a, int n) { a[threadIdx.x] = blockIdx.x + n; }\n";

#[test]
fn the_driver_launches_kernels_by_name() {
    let look_up = "CUfunction f;\n  if (cuModuleGetFunction(&f, module, \"k\") != CUDA_SUCCESS) return 1;";
    let right = driver("", look_up, "f");
    let (kernel, said) = report(&[("k.cu", OF_ONE_GROUP), ("main.cpp", &right)], &["."]);
    assert_eq!(kernel["verdict"], "verified", "{said}{kernel}");
    assert_eq!(kernel["launch"]["at"][0]["file"], "main.cpp", "{kernel}");
    assert_eq!(verdict(&[("k.cu", OF_ONE_GROUP), ("main.cpp", &right.replace("f, 1, 1, 1", "f, 2, 1, 1"))]), "defect");
    // It is a variable of the file.
    let kept = driver("static CUfunction f;\nvoid look_up(CUmodule);", "look_up(module);", "f")
        + "void look_up(CUmodule module) { cuModuleGetFunction(&f, module, \"k\"); }\n";
    let (kernel, said) = report(&[("k.cu", OF_ONE_GROUP), ("main.cpp", &kept)], &["."]);
    assert_eq!(kernel["verdict"], "verified", "{said}{kernel}");
}

#[test]
fn handles_that_are_not_followed_may_be_any_kernel_s() {
    let kernels = format!("{OF_ONE_GROUP}{WARM}");
    let declared = "void warm(int *); void setup(); CUfunction other(); void keep(CUfunction);";
    for (declared, before, handle, is_known) in [
        ("", "CUfunction f; cuModuleGetFunction(&f, module, \"k\");", "f", true),
        // The name is not constant.
        (
            "const char *chosen(); // \"k\"\nconst char *k = \"k\";",
            "CUfunction f; cuModuleGetFunction(&f, module, chosen());",
            "f",
            false,
        ),
        // Another file may change the handle, or set it.
        ("void change(CUfunction *);", "CUfunction f; cuModuleGetFunction(&f, module, \"k\"); change(&f);", "f", false),
        ("CUfunction f; const char *name = \"k\";", "setup();", "f", false),
        // It goes elsewhere, or comes from there.
        ("", "CUfunction f; cuModuleGetFunction(&f, module, \"k\"); keep(f);", "f", false),
        ("const char *name = \"k\";", "CUfunction f; cuModuleGetFunction(&f, module, \"l\");", "other()", false),
        (
            "extern \"C\" CUresult cuKernelGetFunction(CUfunction *, CUfunction);",
            "CUfunction f, g; cuModuleGetFunction(&f, module, \"k\"); cuKernelGetFunction(&g, f);",
            "g",
            false,
        ),
    ]
    .map(|(own, before, handle, is_known)| (format!("{declared}\n{own}"), before, handle, is_known))
    {
        let main = driver(&declared, &format!("{before} warm(0);"), handle);
        let (kernel, said) = report(&[("k.cu", &kernels), ("main.cpp", &main)], &["."]);
        assert_eq!(kernel["verdict"] == "verified", is_known, "{main}{said}{kernel}");
        let escapes = kernel["launch"]["escapes"].as_array().map_or(0, Vec::len);
        assert_eq!(escapes > 0, !is_known, "{main}{said}{kernel}");
    }
}

/// A launch of one group, beside which others count.
const WARM: &str = "void warm(int *a) { k<<<1, 64>>>(a, 0); }\n";

/// If no kernel has the first name, the handle is that of the second.
#[test]
fn lookups_may_fail() {
    let kernels = format!("{OF_ONE_GROUP}{WARM}");
    let before = "warm(0); CUfunction f; if (cuModuleGetFunction(&f, module, \"k_fast\") != CUDA_SUCCESS)\n\
        if (cuModuleGetFunction(&f, module, \"k\") != CUDA_SUCCESS) return 1;";
    let main = driver("void warm(int *);", before, "f");
    assert_eq!(verdict(&[("k.cu", &kernels), ("main.cpp", &main)]), "verified");
    let two = main.replace("f, 1, 1, 1", "f, 2, 1, 1");
    assert_eq!(verdict(&[("k.cu", &kernels), ("main.cpp", &two)]), "defect");
    // Names in the module count, and so does a function of another file that looks up.
    let mangled = kernels.replace("extern \"C\" ", "");
    let main = driver("void warm(int *);", "warm(0); CUfunction f; cuModuleGetFunction(&f, module, \"_Z1kPii\");", "f");
    assert_eq!(verdict(&[("k.cu", &mangled), ("main.cpp", &main.replace("f, 1, 1, 1", "f, 2, 1, 1"))]), "defect");
    assert_eq!(verdict(&[("k.cu", &mangled), ("main.cpp", &main)]), "verified");
    // A lookup through a pointer is none that is followed.
    let hidden = main
        .replace("cuModuleGetFunction(&f", "get(&f")
        .replace("warm(0); CUfunction f;", "warm(0); CUfunction f; Get *get = (Get *)dlsym(0, \"cuModuleGetFunction\");")
        .replace("void warm(int *);", "void warm(int *); extern \"C\" void *dlsym(void *, const char *);\ntypedef CUresult Get(CUfunction *, CUmodule, const char *);")
        .replace("cuLaunchKernel(f, 1, 1, 1", "((CUresult (*)(CUfunction, int, int, int, int, int, int, int, CUstream, void **, void **))dlsym(0, \"cuLaunchKernel\"))(f, 2, 1, 1");
    assert!(hidden.contains("dlsym(0, \"cuLaunchKernel\"))(f, 2"), "{hidden}");
    let (kernel, said) = report(&[("k.cu", &mangled), ("main.cpp", &hidden)], &["."]);
    assert_ne!(kernel["verdict"], "verified", "{said}{kernel}");
    let escapes = &kernel["launch"]["escapes"][0];
    assert_eq!(escapes["file"], "main.cpp", "{said}{kernel}");
    // HIP has its own names.
    let hip = driver("void warm(int *);", "warm(0); CUfunction f; cuModuleGetFunction(&f, module, \"_Z1kPii\");", "f")
        .replace("CUdeviceptr", "hipDeviceptr_t")
        .replace("CUmodule", "hipModule_t")
        .replace("CUfunction", "hipFunction_t")
        .replace("cuModuleLoad", "hipModuleLoad")
        .replace("cuModuleGetFunction", "hipModuleGetFunction")
        .replace("cuMemAlloc", "hipMalloc")
        .replace("cuLaunchKernel", "hipModuleLaunchKernel")
        .replace("cuda.h", "hip/hip_runtime.h");
    let of_hip = format!("#include <hip/hip_runtime.h>\n{mangled}");
    assert_eq!(verdict(&[("k.hip", &of_hip), ("main.cpp", &hip)]), "verified");
    assert_eq!(verdict(&[("k.hip", &of_hip), ("main.cpp", &hip.replace("f, 1, 1, 1", "f, 2, 1, 1"))]), "defect");
    let helper = "#include <cuda.h>\nCUfunction get(CUmodule module, const char *name) {\n  \
        CUfunction f = 0; cuModuleGetFunction(&f, module, name); return f;\n}\n";
    let main = driver("void warm(int *); CUfunction get(CUmodule, const char *);", "warm(0);", "get(module, \"k\")");
    for (groups, expected) in [("1, 1, 1", "verified"), ("2, 1, 1", "defect")] {
        let main = main.replace("\"k\"), 1, 1, 1", &format!("\"k\"), {groups}"));
        assert_eq!(verdict(&[("k.cu", &kernels), ("main.cpp", &main), ("get.cpp", helper)]), expected, "{groups}");
    }
}

/// Each of these files launches the kernel, in ways that are easily overlooked.
#[test]
fn launches_that_hide_in_other_files() {
    let plain = OF_ONE_GROUP.replace("extern \"C\" ", "");
    let kernels = |main: &str| format!("{plain}{WARM}{main}");
    let declared = "__global__ void k(int *a, int n);\n";
    let calls = |declared: &str, call: &str| {
        kernels(&format!("{declared}\nint main() {{ int *a; cudaMalloc(&a, 4096); warm(a); {call} return 0; }}\n"))
    };
    for (first, other) in [
        // An instance of a template, and one that a constructor launches.
        (
            calls("template <class T> void run(int *a);", "run<int>(a);"),
            format!(
                "{declared}template <class T> void run(int *a) {{ k<<<GROUPS, 64>>>(a, 0); }}\ntemplate void run<int>(int *);\n"
            ),
        ),
        (
            calls("struct Sim {{ Sim(int *); }};".replace("{{", "{").replace("}}", "}").as_str(), "Sim sim(a);"),
            format!("{declared}struct Sim {{ Sim(int *); }};\nSim::Sim(int *a) {{ k<<<GROUPS, 64>>>(a, 0); }}\n"),
        ),
        // A function that may be missing.
        (
            calls("extern __attribute__((weak)) void run(int *);", "if (run) run(a);"),
            format!("{declared}void run(int *a) {{ k<<<GROUPS, 64>>>(a, 0); }}\n"),
        ),
        // Something stands between the parameters and the body.
        (
            calls("void run(int *);", "run(a);"),
            format!("{declared}void run(int *a) // two groups\n{{ k<<<GROUPS, 64>>>(a, 0); }}\n"),
        ),
        // Another file calls it through a table.
        (
            calls("extern void (*const table[])(int *);", "table[0](a);"),
            format!(
                "{declared}static void run(int *a) {{ k<<<GROUPS, 64>>>(a, 0); }}\nextern void (*const table[])(int *);\nvoid (*const table[])(int *) = {{run}};\n"
            ),
        ),
        // It runs before `main`.
        (
            calls("", ""),
            format!("{declared}static int start() {{ k<<<GROUPS, 64>>>(0, 0); return 1; }}\nint started = start();\n"),
        ),
    ] {
        for (groups, expected) in [("1", "verified"), ("2", "defect")] {
            let other = other.replace("GROUPS", groups);
            assert_eq!(verdict(&[("k.cu", &first), ("other.cu", &other)]), expected, "{first}{other}");
        }
    }
    // Calls go from the kernel's file to another one and back.
    let there =
        format!("void middle(int *, int);\n{ROWS}{LAUNCH}void outer(int *a, int width) {{ middle(a, width); }}\n");
    let back = "void launch(int *, int);\nvoid middle(int *a, int width) { launch(a, width); }\n";
    for (width, expected) in [("64", "verified"), ("32", "defect")] {
        let test = main_of("void outer(int *, int);", &format!("outer(a, {width});"));
        let files = [("k.cu", there.as_str()), ("middle.cpp", back), ("test.cpp", &test)];
        assert_eq!(verdict(&files), expected, "{width}");
    }
    // A header has the call.
    let kernels = format!("{ROWS}{LAUNCH}");
    let header = "void launch(int *a, int width);\ninline void run(int *a) { launch(a, 32); }\n";
    let test = "#include \"run.h\"\nint main() { run(0); return 0; }\n";
    let app = launching("64");
    let files = [("k.cu", kernels.as_str()), ("app.cpp", app.as_str()), ("test.cpp", test), ("run.h", header)];
    assert_eq!(verdict(&files), "defect");
    assert_eq!(verdict(&[files[0], files[1], files[2], ("run.h", &header.replace("32", "64"))]), "verified");
}

/// A file that cannot be part of a program is not forgotten.
#[test]
fn files_that_are_left_out_may_launch_in_any_way() {
    let kernels = format!("{ROWS}{LAUNCH}");
    let mains: Vec<(String, String)> = (1..6).map(|number| (format!("m{number}.cpp"), launching("64"))).collect();
    let with = |count: usize| {
        let mains = mains.iter().take(count).map(|(name, text)| (name.as_str(), text.as_str()));
        [("k.cu", kernels.as_str())].into_iter().chain(mains).collect::<Vec<_>>()
    };
    assert_eq!(verdict(&with(4)), "verified");
    assert_ne!(verdict(&with(5)), "verified");
    // Two files define what `main` calls, and one of them launches.
    let first = format!("{kernels}void setup(int *a);\nint main() {{ launch(0, 64); setup(0); return 0; }}\n");
    let launches = "void launch(int *a, int width);\nvoid setup(int *a) { launch(a, 64); }\n";
    let other = "void setup(int *a) {}\n";
    assert_eq!(verdict(&[("k.cu", &first), ("s1.cpp", launches)]), "verified");
    assert_ne!(verdict(&[("k.cu", &first), ("s1.cpp", launches), ("s2.cpp", other)]), "verified");
}

/// A kernel whose name is never looked up is not launched by the program.
#[test]
fn kernels_that_are_not_looked_up_have_possible_findings() {
    let kernels = format!("{OF_ONE_GROUP}{}", OF_ONE_GROUP.replace("void k", "void unused"));
    let main = driver("", "CUfunction f;\n  cuModuleGetFunction(&f, module, \"k\");", "f");
    let files = [("k.cu", kernels.as_str()), ("main.cpp", main.as_str())];
    let (unused, said) = report(&files, &[".", "--kernel=unused"]);
    assert_eq!(unused["verdict"], "unknown", "{said}{unused}");
    assert!(unused["findings"][0]["because"].to_string().contains("comes to no launch"), "{unused}");
}
