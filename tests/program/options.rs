//! The options: sizes, values, names, GPUVerify's flags and exit statuses, disabled checks, and
//! axioms.
//!
//! The tests also cover the reported consequences of fixed values.

use crate::command::{ADD, Folder, SIZES, TWO, check};

#[test]
fn an_unknown_family_of_invariants_is_refused() {
    let folder = Folder::new(&[("add.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "add.cl", "--omit-infer", "bound"], 3, &["bound", "bounds"]);
    check(&folder, &["verify", "add.cl", "--omit-infer", "bounds", "--local-size", "64"], 0, &[]);
}

#[test]
fn an_unknown_technique_is_refused() {
    let folder = Folder::new(&[("add.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "add.cl", "--without", "integer"], 3, &["integer", "integers", "own-writes"]);
    let two = ["verify", "add.cl", "--without", "integers", "--without=cases", "--local-size", "64"];
    check(&folder, &two, 0, &[]);
}

#[test]
fn sizes_that_are_none() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--local-size=0"], 3, &["a size of 0"]);
    check(&folder, &["verify", "a.cl", "--local-size=lots"], 3, &["`lots` is not a size"]);
    check(&folder, &["verify", "a.cl", "--local-size=2147483649"], 3, &["more than 2^31"]);
    check(&folder, &["verify", "a.cl", "--local-size=1,1,1,1"], 3, &["more than three dimensions"]);
    let words = ["verify", "a.cl", "--local-size=64", "--global-size=100"];
    check(&folder, &words, 3, &["global size 100 is not a multiple of local size 64"]);
}

#[test]
fn sizes_that_contradict_each_other_or_the_source() {
    let source = ADD.replace("__kernel", "__kernel __attribute__((reqd_work_group_size(32, 1, 1)))");
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--local-size=64"], 3, &["reqd_work_group_size(32,1,1)"]);
    let words = ["verify", "a.cl", "--num-groups=2", "--global-size=128"];
    check(&folder, &words, 3, &["2 groups of 32 threads are not a global size of 128 in dimension 0"]);
}

#[test]
fn values_that_do_not_fit_the_kernel() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(
        &folder,
        &["verify", "a.cl", "--kernel-args=add,7"],
        3,
        &["1 value for kernel add, which has 0 parameters passed by value"],
    );
    check(&folder, &["verify", "a.cl", "--kernel-args=sub,7"], 3, &["no kernel `sub`"]);
    let one = "--kernel-arrays gives 1 size for kernel add, which has 2 pointer parameters";
    check(&folder, &["verify", "a.cl", "--kernel-arrays=add,16"], 3, &[one]);
    check(&folder, &["verify", "a.cl", "--kernel-arrays=sub,16"], 3, &["no kernel `sub`"]);
    check(&folder, &["verify", "a.cl", "--kernel-arrays=add,0,*"], 3, &["`0` is not a size in bytes"]);
    check(&folder, &["inspect", "a.cl", "--kernel-arrays=add,16"], 2, &[one]);
    let source = "struct two { char a, b; };\n\
        __kernel void k(char c, __read_only image1d_t im, sampler_t s, struct two two, __global float4 *out, float4 v) {\n  \
        out[get_global_id(0)] = read_imagef(im, s, 0) + v * (float)(c + two.a);\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let given = |option: &'static str, status: i32, said: &[&str]| {
        check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1], option], status, said);
    };
    given("--kernel-args=k,256,*,*", 3, &["256 does not fit c, which has 8 bits"]);
    given("--kernel-args=k,-128,0x10000,*", 3, &["0x10000 does not fit two, which has 2 bytes"]);
    given("--kernel-arrays=k,16,*", 3, &["im is an image, which has no size in bytes: write `*`"]);
    // A sampler may be counted. A vector has as many bits as its value.
    given("--kernel-args=k,255,0xFFFF,0x3f8000003f8000003f8000003f800000", 0, &[]);
    given("--kernel-args=k,255,3,0xFFFF,0x3f8000003f8000003f8000003f800000", 0, &[]);
    given("--kernel-arrays=k,*,4096", 0, &[]);
    // Runs do not support images, so this is a warning.
    given("--kernel-arrays=k,*,4095", 2, &[]);
}

#[test]
fn groups_and_launches_too_large_to_exist() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--local-size=65536x65536"], 3, &["65536,65536", "more than 2^31"]);
    check(&folder, &["verify", "a.cl", "--local-size=2147483648"], 3, &["--max-launch-threads"]);
    check(&folder, &["verify", "a.cl", "--local-size=64", "--num-groups=67108864"], 3, &["more than 2^31"]);
    check(&folder, &["verify", "a.cl", "--local-size="], 3, &["is not a size"]);
}

#[test]
fn limits_of_time_and_workers() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    for (option, value) in [("--timeout", "-1"), ("--timeout", "soon"), ("--timeout", "NaN"), ("-j", "-1")] {
        check(&folder, &["verify", "a.cl", option, value], 3, &[option, value]);
    }
    check(&folder, &["verify", "a.cl", "-j", "100000"], 3, &["from 1 to 256"]);
    let words = ["verify", "a.cl", SIZES[0], SIZES[1], "-j", "0", "--timeout", "0"];
    check(&folder, &words, 0, &[]);
    // Too short a time limit is not an error: the verdict says what it lacked, if anything.
    let output = folder.run(&["verify", "a.cl", "--timeout", "0.001"]);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
}

#[test]
fn a_global_size_beside_a_number_of_groups() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let json = |words: &[&str]| -> serde_json::Value {
        let words: Vec<&str> = ["verify", "a.cl", "--format=json"].iter().chain(words).copied().collect();
        let output = folder.run(&words);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("the report is JSON")
    };
    for words in [
        &["--global-size=128", "--num-groups=2"][..],
        &["--global-size=128", "--num-groups=2", "--local-size=64"],
        &["--global-size=128", "--num-groups=*", "--local-size=64"],
        &["--global-size=*", "--num-groups=2", "--local-size=64"],
    ] {
        let launch = &json(words)["kernels"][0]["launch"];
        assert_eq!(launch, &serde_json::json!({ "block": [64], "grid": [2] }), "{words:?}");
    }
    let contradiction = |words: &[&str], said: &str| {
        let words: Vec<&str> = ["verify", "a.cl"].iter().chain(words).copied().collect();
        check(&folder, &words, 3, &[said]);
    };
    contradiction(&["--global-size=128", "--num-groups=3"], "3 groups of any number of threads are not a global size");
    contradiction(&["--global-size=128", "--num-groups=4", "--local-size=64"], "4 groups of 64 threads are not");
    contradiction(&["--global-size=128", "--num-groups=2x1"], "1 dimension and the number of groups 2 dimensions");
}

#[test]
fn values_fixed_by_the_command_line_are_named() {
    let source = "__kernel void k(__global int *a, int n, char c) {\n  \
        if (n != 7 || c != -1) a[0] = get_local_id(0);\n  a[get_global_id(0)] = 1;\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let fixed = ["verify", "a.cl", "--kernel-args=k,7,255", "--global-size=1024", "--global-offset=8"];
    let text = folder.run(&fixed);
    let (status, text) = (text.status.code(), String::from_utf8_lossy(&text.stdout).into_owned());
    assert_eq!(status, Some(0), "{text}");
    let launch =
        "launch: 1024 threads in groups of any size, global ids from (8), with n = 7, c = 255 (-1 if signed)\n";
    let assumptions = [
        "the launch has 1024 threads in all (--global-size)",
        "global ids start at (8) (--global-offset)",
        "the argument n is 7 (--kernel-args)",
        "the argument c is 255 (-1 if signed) (--kernel-args)",
    ];
    for part in [launch].into_iter().chain(assumptions) {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let words: Vec<&str> = fixed.into_iter().chain(["--format=json"]).collect();
    let report: serde_json::Value = serde_json::from_slice(&folder.run(&words).stdout).expect("the report is JSON");
    let listed = report["kernels"][0]["assumptions"].as_array().expect("assumptions");
    for assumption in assumptions {
        assert!(listed.iter().any(|known| known == assumption), "`{assumption}` is missing in {listed:?}");
    }
    // Values that nothing fixes are not named.
    let free = folder.run(&["verify", "a.cl", "--kernel-args=k,*,*", "--global-offset=0"]);
    let text = String::from_utf8_lossy(&free.stdout);
    assert_eq!(free.status.code(), Some(1), "{text}");
    assert!(text.contains("launch: any number of groups of any size\n"), "{text}");
}

#[test]
fn kernels_are_called_as_the_source_calls_them() {
    let source = "__global__ void pl(int *a) { a[threadIdx.x] = 1; }\n\
        __global__ void pl(const float *a, unsigned int *b) { b[threadIdx.x] = 1; }\n\
        template <int N, class T> __global__ void nt(T *a) { a[threadIdx.x] = N; }\n\
        template __global__ void nt<2, int>(int *);\n\
        template __global__ void nt<3, int>(int *);\n\
        template __global__ void nt<3, float>(float *);\n\
        namespace n { template <class T> __global__ void sc(T *a) { a[threadIdx.x] = 1; } }\n\
        template __global__ void n::sc<int>(int *);\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let overloads = ["pl(int*)", "pl(const float*, unsigned int*)"];
    for (name, called) in [
        ("pl", &overloads[..]),
        ("::pl", &overloads),
        ("pl(int*)", &overloads[..1]),
        ("pl( int * )", &overloads[..1]),
        ("pl(const float *, unsigned int *)", &overloads[1..]),
        ("_Z2plPi", &overloads[..1]),
        ("nt<2,int>", &["nt<2, int>"]),
        ("nt< 2 >", &["nt<2, int>"]),
        ("nt", &["nt<2, int>", "nt<3, int>", "nt<3, float>"]),
        ("n::sc< int >", &["n::sc<int>"]),
        ("::n::sc", &["n::sc<int>"]),
    ] {
        let words = ["verify", "a.cu", "--local-size=64", "--num-groups=1", "--format=json", "--kernel", name];
        let output = folder.run(&words);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        let kernels = report["kernels"].as_array().expect("kernels").iter();
        let names: Vec<&str> = kernels.map(|kernel| kernel["name"].as_str().unwrap_or_default()).collect();
        assert_eq!(names, called, "{name}");
    }
    for unknown in ["nt<3>", "pl(float*)", "sc", "nt<"] {
        check(&folder, &["verify", "a.cu", "--kernel", unknown], 3, &[&format!("no kernel `{unknown}`"), overloads[0]]);
    }
    let sized = ["verify", "a.cu", "--kernel=nt<2,int>", "--kernel-arrays=nt<2,int>,252", SIZES[0], SIZES[1]];
    assert!(String::from_utf8_lossy(&folder.run(&sized).stdout).contains("LS0107"));
}

#[test]
fn each_option_of_gpuverify_is_known() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    // GPUVerify's names work, abbreviated, and with values that are words of their own.
    let words =
        ["verify", "--opencl", "--local_size", "64", "--num_g=[4]", "--pointer-bitwidth", "32", "--verify", "a.cl"];
    check(&folder, &words, 0, &[]);
    let switches = [
        "--verbose",
        "--time",
        "--time-as-csv=x",
        "--error-limit=3",
        "--equality-abstraction",
        "--math-int",
        "--no-inline",
        "--infer-info",
        "--k-induction-depth=2",
        "--race-instrumenter=original",
        "--solver=cvc4",
        "--debug",
        "--keep-temps",
        "--opt-opt=-O2",
        "--bugle-opt=-x",
        "--cruncher-opt=/y",
        "--boogie-opt=/z",
        "--omit-infer=loopBound",
        "--vcgen-opt=/noPruneInfeasibleEdges",
    ];
    for switch in switches {
        let note = format!("note: {switch} has no effect");
        check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1], switch], 0, &[&note]);
    }
    let refused =
        [("--stop-at-bpl", "inspect --stage boogie"), ("--gen-smt2", "--stage smt2"), ("--vcgen-opt=/no", "`/no`")];
    for (option, instead) in refused {
        check(&folder, &["verify", "a.cl", option], 3, &[option.split('=').next().unwrap(), instead]);
    }
    check(&folder, &["verify", "--version"], 0, &[]);
}

#[test]
fn silence_if_all_is_well() {
    let folder = Folder::new(&[("a.cl", TWO.as_bytes())]);
    let good = folder.run(&["verify", "a.cl", "--silent", "--kernel=good"]);
    assert_eq!((good.status.code(), good.stdout.as_slice()), (Some(0), &b""[..]));
    let all = folder.run(&["verify", "a.cl", "--silent"]);
    assert_eq!(all.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&all.stdout).contains("defect bad"));
}

#[test]
fn atomics_exclude_the_equality_abstraction() {
    let source = "__kernel void k(__global int *a) { atomic_inc(a); }\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes()), ("b.cl", ADD.as_bytes())]);
    let words = ["--equality-abstraction", SIZES[0], SIZES[1]];
    let run = |file: &'static str| ["verify", file].into_iter().chain(words).collect::<Vec<_>>();
    check(&folder, &run("a.cl"), 3, &["--equality-abstraction cannot be used with atomics (a.cl:1)"]);
    check(&folder, &run("b.cl"), 0, &[]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 0, &[]);
    check(&folder, &["verify", "b.cl", "--equality-abstraction", "--adversarial-abstraction"], 3, &["cannot be used"]);
}

#[test]
fn exit_statuses_of_gpuverify() {
    let unsupported = "__kernel void k(__global int *a) { a[sub_group_reduce_add(1)] = 1; }\n";
    let misplaced = "__kernel void k(__global int *a) { a[0] = 1; __invariant(a[0] == 1); a[0] = 2; }\n";
    let folder = Folder::new(&[
        ("two.cl", TWO.as_bytes()),
        ("syntax.cl", b"__kernel void k() { int = 3; }\n"),
        ("garbage.bc", b"garbage"),
        ("none.cl", b"int f(int x) { return x; }\n"),
        ("unsupported.cl", unsupported.as_bytes()),
        ("misplaced.cl", misplaced.as_bytes()),
    ]);
    let cases: [(&[&str], i32, i32); 11] = [
        (&["two.cl", "--kernel=good"], 0, 0),
        (&["two.cl", "--no-such-flag"], 3, 1),
        (&["two.cl", "--local_size=64", "--global_size=100"], 3, 1),
        (&["two.cl", "--gen-smt2"], 3, 1),
        (&["syntax.cl"], 3, 2),
        (&["garbage.bc"], 3, 3),
        (&["none.cl"], 3, 4),
        (&["unsupported.cl", "--cl-std=CL3.0"], 2, 4),
        (&["misplaced.cl"], 3, 5),
        (&["two.cl"], 1, 6),
        (&["two.cl", "--clang=/nowhere"], 3, 9),
    ];
    for (words, own, gpuverify) in cases {
        let words: Vec<&str> = ["verify"].iter().chain(words).copied().collect();
        check(&folder, &words, own, &[]);
        let words: Vec<&str> = words.iter().chain(&["--exit-codes=gpuverify"]).copied().collect();
        check(&folder, &words, gpuverify, &[]);
    }
    // Among several, the fault that GPUVerify would have met first counts.
    check(&folder, &["verify", "two.cl", "garbage.bc", "syntax.cl", "--exit-codes", "gpuverify"], 2, &[]);
}

/// The assumptions of the only kernel in a file, which is verified.
#[track_caller]
fn assumptions(folder: &Folder, words: &[&str]) -> Vec<String> {
    let words: Vec<&str> = ["verify", "--format=json"].iter().chain(words).copied().collect();
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let listed = report["kernels"][0]["assumptions"].as_array().expect("assumptions");
    listed.iter().map(|assumption| assumption.as_str().unwrap_or_default().to_owned()).collect()
}

/// An optimiser may have put an operation where the source does not execute it.
///
/// So LLVM IR's flags about overflow are not trusted, whereas OpenCL C's rules for the same product
/// are.
#[test]
fn overflow_in_llvm_ir_wraps_around() {
    let opencl = "__kernel void k(__global int *a, int n) {\n  int i = get_local_id(0);\n  if (i < n) a[i * 0x8000000] = i;\n}\n";
    let llvm = "target triple = \"spir64\"\n\
        declare spir_func i64 @_Z12get_local_idj(i32)\n\
        define spir_kernel void @k(ptr addrspace(1) %a) {\n  \
        %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n  \
        %i = trunc i64 %id to i32\n  \
        %product = mul nsw i32 %i, 134217728\n  \
        %wide = sext i32 %product to i64\n  \
        %place = getelementptr i32, ptr addrspace(1) %a, i64 %wide\n  \
        store i32 %i, ptr addrspace(1) %place\n  \
        ret void\n}\n";
    let folder = Folder::new(&[("a.cl", opencl.as_bytes()), ("a.ll", llvm.as_bytes())]);
    let listed = assumptions(&folder, &["a.cl", SIZES[0], SIZES[1]]);
    assert!(listed.iter().any(|known| known == "signed arithmetic does not overflow (line 3)"), "{listed:?}");
    // Its locations have no names, so no run is compared with the race.
    check(&folder, &["verify", "a.ll", SIZES[0], SIZES[1]], 2, &[]);
}

/// LLVM's own reader would end the process on a broken module with debug information: here it is an
/// ordinary error.
#[test]
fn a_broken_module_with_debug_information_is_an_error() {
    let broken = "target triple = \"spir64\"\n!llvm.module.flags = !{!0}\n!llvm.ident = !{!1}\n\
                  !0 = !{i32 2, !\"Debug Info Version\", i32 3}\n!1 = !{}\n";
    let folder = Folder::new(&[("a.ll", broken.as_bytes()), ("b.cl", ADD.as_bytes())]);
    let told = ["error: ", "incorrect number of operands in llvm.ident metadata"];
    check(&folder, &["verify", "a.ll", "b.cl", SIZES[0], SIZES[1]], 3, &told);
}

/// LLVM takes any node for the file that contains a block.
#[test]
fn a_block_in_a_file_that_is_none() {
    let text = "target triple = \"spir64\"\n\
                define spir_kernel void @k(ptr addrspace(1) %a) !dbg !2 {\n  store i32 1, ptr addrspace(1) %a, !dbg !6\n  ret void\n}\n\
                !llvm.module.flags = !{!0}\n!llvm.dbg.cu = !{!5}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
                !1 = !DIFile(filename: \"a.cl\", directory: \".\")\n\
                !2 = distinct !DISubprogram(name: \"k\", file: !1, line: 1, type: !3, unit: !5, spFlags: DISPFlagDefinition)\n\
                !3 = !DISubroutineType(types: !4)\n!4 = !{null}\n\
                !5 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)\n\
                !6 = !DILocation(line: 1, column: 1, scope: !7)\n\
                !7 = distinct !DILexicalBlock(scope: !2, file: !FILE, line: 1, column: 1)\n";
    for file in ["1", "2"] {
        let folder = Folder::new(&[("a.ll", text.replace("!FILE", &format!("!{file}")).as_bytes())]);
        check(&folder, &["verify", "a.ll", "--local-size=1", "--num-groups=1"], 0, &[]);
    }
}

/// A kernel in kernel IR was imported elsewhere; the report says that the assumptions of that
/// import are unknown.
#[test]
fn assumptions_of_the_import_are_unknown_for_kernel_ir() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let output = folder.run(&["inspect", "a.cl", "--stage=kernel", SIZES[0], SIZES[1]]);
    std::fs::write(folder.path("a.kernel"), &output.stdout).expect("a file can be written");
    let unknown = "the kernel is given as kernel IR: what its import took for granted is not known";
    for (file, expected) in [("a.kernel", true), ("a.cl", false)] {
        let listed = assumptions(&folder, &[file, SIZES[0], SIZES[1]]);
        assert_eq!(listed.iter().any(|known| known == unknown), expected, "{file}: {listed:?}");
    }
}

/// A kernel with one defect of each selectable kind, and the words that disable its check.
#[test]
fn defects_of_disabled_checks_are_not_found() {
    let cases = [
        (
            "bounds",
            "a.cu",
            "__global__ void k(int *a, int n) { int t[4] = {}; if (n) t[threadIdx.x] = 1; a[threadIdx.x] = t[0]; }",
        ),
        ("null", "b.cu", "__global__ void k(int *a) { int *p = threadIdx.x < 9 ? nullptr : a; p[threadIdx.x] = 1; }"),
        (
            "constant",
            "c.cu",
            "__constant__ int c[64];\n__global__ void k(int *a, int n) { if (n) c[threadIdx.x] = 1; a[threadIdx.x] = n; }",
        ),
        ("alignment", "d.cu", "__global__ void k(char *a) { *(int *)(a + 6 * threadIdx.x) = 1; }"),
        (
            "uninitialised",
            "e.cu",
            "__global__ void k(int *a) { __shared__ int s[64]; a[threadIdx.x] = s[threadIdx.x]; }",
        ),
        (
            "shuffle-source",
            "f.cu",
            "__global__ void k(int *a) { int x = threadIdx.x; \
            if (x < 16) x = __shfl_sync(0xffff, x, 20); a[threadIdx.x] = x; }",
        ),
        ("lane-mask", "g.cu", "__global__ void k(int *a, int n) { if (n) __syncwarp(0xffff); a[threadIdx.x] = 1; }"),
        ("overflow", "h.cu", "__global__ void k(int *a, int n) { if (n > 0) a[n * 64 + (int)threadIdx.x] = n; }"),
    ];
    let files: Vec<(&str, &[u8])> = cases.iter().map(|(_, name, source)| (*name, source.as_bytes())).collect();
    let folder = Folder::new(&files);
    for (check, name, _) in cases {
        let with: &[&str] = if check == "overflow" { &["--check=overflow"] } else { &[] };
        let words = |more: &[&'static str]| {
            [&["verify", name, "--block-dim=32", "--grid-dim=1", "--without=preconditions"], more].concat()
        };
        assert_eq!(folder.run(&words(with)).status.code(), Some(1), "{check}");
        let without = format!("--no-check={check}");
        let output = folder.run(&[&words(&[])[..], &[without.as_str()]].concat());
        assert_eq!(output.status.code(), Some(0), "{check}: {}", String::from_utf8_lossy(&output.stdout));
    }
    check(&folder, &["verify", "a.cu", "--no-check=races"], 3, &["invalid value 'races' for '--no-check <CHECK>'"]);
}

#[test]
fn disabled_checks_are_listed() {
    let source = "__kernel void k(__global int *a, __global int *b) {\n  a[get_global_id(0)] = 1;\n  b[0] = get_global_id(0);\n  \
        __assert(__no_read(b));\n}\n";
    let invariant = "__kernel void k(__global int *a) {\n  __local int p[64];\n  p[get_local_id(0)] = 1;\n  \
        __barrier_invariant_1(p[get_local_id(0)] == 1, 0);\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
        a[get_global_id(0)] = p[0];\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes()), ("b.cl", invariant.as_bytes())]);
    let cases: [(&[&str], &str); 10] = [
        (&["b.cl", "--no-check=bounds"], "accesses stay inside arrays of known size (--no-check bounds)"),
        (&["b.cl", "--no-check=null,constant"], "no access goes through the null pointer (--no-check null)"),
        (&["b.cl", "--no-check=null,constant"], "nothing writes constant memory (--no-check constant)"),
        (
            &["b.cl", "--no-check", "lane-mask"],
            "masks name the lanes that execute the operation (--no-check lane-mask)",
        ),
        (&["b.cl", "--kernel-arrays=k,1024"], "the array a has 1024 bytes (--kernel-arrays)"),
        (&["a.cl", "--only-log"], "races are not checked (--only-log)"),
        (&["a.cl", "--only-divergence"], "races are not checked (--only-divergence)"),
        (&["a.cl", "--check-arrays=a"], "races are checked on a only (--check-arrays)"),
        (&["a.cl", "--check-arrays=a"], "accesses to arrays that are left out are not checked (--check-arrays)"),
        (&["b.cl", "--no-barrier-access-checks"], "behind it (--no-barrier-access-checks)"),
    ];
    for (words, assumption) in cases {
        let words: Vec<&str> = words.iter().chain(&SIZES).copied().collect();
        let listed = assumptions(&folder, &words);
        assert!(listed.iter().any(|known| known.contains(assumption)), "`{assumption}` is missing in {listed:?}");
    }
    let listed = assumptions(&folder, &["b.cl", SIZES[0], SIZES[1]]).join(" ");
    assert!(!listed.contains("--"), "{listed}");
    // Without the flags there are races.
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 1, &[]);
}

#[test]
fn arrays_that_are_not_there() {
    let folder = Folder::new(&[("a.cl", TWO.as_bytes()), ("b.cl", ADD.as_bytes())]);
    let said = "--check-arrays: no kernel has an array `c`; there are: a, b";
    check(&folder, &["verify", "a.cl", "b.cl", "--check-arrays=a,c"], 3, &[said]);
    // One kernel with the argument suffices.
    check(&folder, &["verify", "a.cl", "b.cl", "--kernel=good", "--check-arrays=b"], 0, &[]);
}

/// An invariant holds for both threads, unless only the first is asked for.
///
/// Then a proof that needs it of the second thread fails.
#[test]
fn asymmetric_assertions_say_nothing_of_the_second_thread() {
    let folder = Folder::new(&[("a.cl", include_bytes!("../annotations/loop_invariant.cl"))]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 0, &[]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1], "--asymmetric-asserts", "--timeout=2"], 2, &[]);
}

#[test]
fn where_only_defects_are_looked_for_nothing_is_verified() {
    let nothing = "__kernel void k(__global int *a) { }\n";
    let loops = "__kernel void k(__global int *a, uint n) {\n  \
        for (uint i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = 1;\n}\n";
    let files: [(&str, &[u8]); 4] = [
        ("a.cl", ADD.as_bytes()),
        ("b.cl", nothing.as_bytes()),
        ("c.cl", loops.as_bytes()),
        ("two.cl", TWO.as_bytes()),
    ];
    let folder = Folder::new(&files);
    for (file, option, depth) in [
        ("a.cl", "--findbugs", "2 iterations"),
        ("b.cl", "--findbugs", "2 iterations"),
        ("c.cl", "--loop-unwind=1", "1 iteration"),
    ] {
        let words = ["verify", file, SIZES[0], SIZES[1], option];
        let output = folder.run(&words);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let reason = format!("only defects were looked for (--findbugs, up to {depth} of each loop); none was found");
        assert!(text.contains("unknown") && text.contains(&reason), "{text}");
        let words: Vec<&str> = words.iter().chain(&["--exit-codes=gpuverify"]).copied().collect();
        check(&folder, &words, 0, &[]);
        // In GPUVerify a depth of 0 means none.
        check(&folder, &["verify", file, SIZES[0], SIZES[1], "--loop-unwind=0"], 0, &[]);
    }
    let output = folder.run(&["verify", "two.cl", SIZES[0], SIZES[1], "--findbugs"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("2 kernels: 1 defect, 1 unknown"), "{text}");
    check(&folder, &["verify", "two.cl", SIZES[0], SIZES[1], "--findbugs", "--exit-codes=gpuverify"], 6, &[]);
}

#[test]
fn files_of_axioms() {
    let kernel = "DECLARE_UF_UNARY(f, uint, uint);\n\
        __kernel void k(__global uint *a, uint n) { __assert(f(n) != 0); a[get_global_id(0)] = n; }\n\
        __kernel void other(__global uint *a) { a[get_global_id(0)] = 1; }\n";
    let folder = Folder::new(&[
        ("a.cl", kernel.as_bytes()),
        ("b.cl", ADD.as_bytes()),
        ("good.bpl", b"axiom (forall x : bv32 :: f(x) != 0bv32);\n"),
        ("other.bpl", b"axiom (forall x : bv32 :: f(x) != 1bv32);\n"),
        ("syntax.bpl", b"// one\naxiom f(0bv32) ==;\n"),
        ("procedure.bpl", b"\nprocedure p();\n"),
        ("narrow.bpl", b"axiom (forall x : bv16 :: f(x) != 0bv16);\n"),
    ]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 2, &[]);
    let other = ["verify", "a.cl", SIZES[0], SIZES[1], "--boogie-file=other.bpl"];
    check(&folder, &other, 2, &[]);
    check(&folder, &[&other[..], &["--strict"]].concat(), 1, &[]);
    let words = ["verify", "a.cl", SIZES[0], SIZES[1], "--boogie-file=other.bpl", "--boogie-file", "good.bpl"];
    check(&folder, &words, 0, &[]);
    let stated = "the axioms of good.bpl hold (--boogie-file) (good.bpl:1)";
    let listed = assumptions(&folder, &["a.cl", "--kernel=k", SIZES[0], SIZES[1], "--boogie-file=good.bpl"]);
    assert!(listed.iter().any(|known| known == stated), "{listed:?}");
    // A kernel that does not apply the function depends on no axiom about it.
    let listed = assumptions(&folder, &["a.cl", "--kernel=other", SIZES[0], SIZES[1], "--boogie-file=good.bpl"]);
    assert!(!listed.iter().any(|known| known.contains("good.bpl")), "{listed:?}");
    for (file, said) in [
        ("syntax.bpl", "syntax.bpl:2: `;` is not expected there"),
        ("procedure.bpl", "procedure.bpl:2: `procedure` is not read"),
        ("narrow.bpl", "narrow.bpl:1: f takes (bv32) and is given (bv16)"),
    ] {
        check(&folder, &["verify", "a.cl", "--boogie-file", file], 3, &[said]);
        check(&folder, &["inspect", "a.cl", "--boogie-file", file], 3, &[said]);
        check(&folder, &["verify", "a.cl", "--boogie-file", file, "--exit-codes=gpuverify"], 12, &[said]);
    }
    let said = "good.bpl:1: function f is neither declared in the file nor applied by a kernel";
    check(&folder, &["verify", "b.cl", "--boogie-file=good.bpl"], 3, &[said]);
    check(&folder, &["verify", "a.cl", "--boogie-file=nowhere.bpl"], 3, &["cannot read nowhere.bpl"]);
    let output =
        folder.run(&["inspect", "a.cl", "--kernel=k", SIZES[0], SIZES[1], "--boogie-file=good.bpl", "--no-infer"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("because \"an axiom (good.bpl:1)\""), "{text}");
}
