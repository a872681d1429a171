//! Launches in the host code of OpenCL programs: the launches found, and their effect on kernels.

use crate::command::Folder;

/// The beginning of a host, in which `program` and `queue` are known.
const HOST: &str = "#include <CL/cl.h>\n#include <stdlib.h>\n\
    int main(int argc, char **argv) {\n\
    cl_context context = 0; cl_program program = 0; cl_command_queue queue = 0; cl_int status;\n";

/// All groups write to the same places. Only a launch of one group is free of races.
const OF_ONE_GROUP: &str = "__kernel void k(__global int *a, int n) { a[get_local_id(0)] = get_group_id(0) + n; }\n";

/// Rows are as long as the host says: 64 or more keep them apart.
const ROWS: &str = "__kernel void k(__global int *a, int width) {\n  \
    a[get_group_id(0) * width + get_local_id(0)] = get_group_id(0);\n}\n";

/// The lines about launches in `verify`'s output for a kernel file and a host's body, which begins
/// in line 5.
#[track_caller]
fn launches_of(kernel: &str, body: &str) -> Vec<String> {
    let host = format!("{HOST}{body}\nreturn 0;\n}}\n");
    launches_in(&[("a.cl", kernel.as_bytes()), ("main.c", host.as_bytes())], &["a.cl", "main.c"])
}

#[track_caller]
fn launches_in(files: &[(&str, &[u8])], inputs: &[&str]) -> Vec<String> {
    let folder = Folder::new(files);
    let words = ["verify", "--without=preconditions"];
    let output = folder.run(&[&words, inputs].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    let mut launches = Vec::new();
    let mut kernel = String::new();
    for line in text.lines() {
        match line.trim().strip_prefix("launch: ") {
            Some(launch) => launches.push(format!("{kernel}: {launch}")),
            None if line.contains(".cl:") && !line.contains("because: ") && !line.contains("  -->") => {
                line.split(" (").next().unwrap_or_default().clone_into(&mut kernel);
            }
            None => {}
        }
    }
    assert!(!launches.is_empty(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    launches
}

/// The calls that create a kernel and set its buffer.
const CREATE: &str = "cl_kernel k = clCreateKernel(program, \"k\", &status);\n\
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 20, NULL, &status);\n\
    clSetKernelArg(k, 0, sizeof(a), &a);\n";

#[test]
fn a_launch_fixes_sizes_and_arguments() {
    let launch = |groups: &str| {
        format!(
            "{CREATE}int n = 3;\nclSetKernelArg(k, 1, sizeof(n), &n);\nsize_t local = 64, global = 64 * {groups};\n\
             clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);"
        )
    };
    let right = launches_of(OF_ONE_GROUP, &launch("1"));
    assert_eq!(right, ["verified k: 1 group of 64 threads, with n = 3, as line 11 of main.c launches it"]);
    let wrong = launches_of(OF_ONE_GROUP, &launch("2"));
    assert_eq!(wrong, ["defect k: 2 groups of 64 threads, with n = 3, as line 11 of main.c launches it"]);
}

#[test]
fn relations_of_the_host_are_preconditions() {
    let launch = |width: &str| {
        format!(
            "{CREATE}int width = atoi(argv[1]);\nif (width < 1 || width > 1024) return 1;\n\
             clSetKernelArg(k, 1, sizeof(width), &width);\nsize_t local = {width}, global = local * 16;\n\
             clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);"
        )
    };
    let right = launches_of(ROWS, &launch("width"));
    assert!(right[0].starts_with("verified k: ") && right.len() == 1, "{right:?}");
    let wrong = launches_of(ROWS, &launch("width + 1"));
    assert!(wrong[0].starts_with("defect k: ") && wrong.len() == 1, "{wrong:?}");
}

/// A call takes the value at that time; a later change of the variable has no effect.
#[test]
fn a_variable_that_changes_after_the_call_changes_no_argument() {
    let launch = |before: u32, after: u32| {
        format!(
            "{CREATE}int width = {before};\nclSetKernelArg(k, 1, sizeof(width), &width);\nwidth = {after};\n\
             size_t local = 64, global = 256;\n\
             clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);"
        )
    };
    let at = "as line 12 of main.c launches it";
    assert_eq!(
        launches_of(ROWS, &launch(64, 3)),
        [format!("verified k: 4 groups of 64 threads, with width = 64, {at}")]
    );
    assert_eq!(launches_of(ROWS, &launch(3, 64)), [format!("defect k: 4 groups of 64 threads, with width = 3, {at}")]);
}

/// The last call that sets an argument before the launch counts, on every path.
#[test]
fn an_argument_set_on_some_paths_is_open() {
    let set = |value: u32| format!("{{ int w = {value}; clSetKernelArg(k, 1, sizeof(w), &w); }}");
    let launch = "size_t local = 64, global = 256;\n\
        clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);";
    let (wide, narrow) = (set(64), set(3));
    let verdicts = [
        (format!("{CREATE}{narrow}{wide}{launch}"), "verified k: 4 groups of 64 threads, with width = 64, "),
        (format!("{CREATE}{wide}{narrow}{launch}"), "defect k: 4 groups of 64 threads, with width = 3, "),
        (format!("{CREATE}{wide}if (argc > 1) {narrow}{launch}"), "defect k: 4 groups of 64 threads, as "),
        (format!("{CREATE}if (argc > 1) {wide}{launch}"), "defect k: 4 groups of 64 threads, as "),
        (
            format!("{CREATE}{wide}for (int i = 0; i < argc; i++) {{ {launch} {narrow} }}"),
            "defect k: 4 groups of 64 threads, as ",
        ),
        (
            format!("{CREATE}{wide}for (int i = 0; i < argc; i++) {{ {launch} {wide} }}"),
            "verified k: 4 groups of 64 threads, with width = 64, ",
        ),
    ];
    for (body, expected) in verdicts {
        let launches = launches_of(ROWS, &body);
        assert!(launches.len() == 1 && launches[0].starts_with(expected), "{body}: {launches:?}");
    }
}

/// Two objects of one kernel have arguments of their own.
#[test]
fn handles_are_told_apart() {
    let second = "cl_kernel other = clCreateKernel(program, \"k\", &status);\n\
        int wide = 64, narrow = 3;\nclSetKernelArg(k, 1, sizeof(int), &wide);\n\
        clSetKernelArg(other, 1, sizeof(int), &narrow);\n";
    let launch = |handle: &str| {
        format!(
            "size_t local = 64, global = 256;\n\
             clEnqueueNDRangeKernel(queue, {handle}, 1, NULL, &global, &local, 0, NULL, NULL);"
        )
    };
    let own = launches_of(ROWS, &format!("{CREATE}{second}{}", launch("k")));
    assert!(own[0].starts_with("verified k: 4 groups of 64 threads, with width = 64, "), "{own:?}");
    // It may be either, and the calls above are about one of them.
    let either = launches_of(ROWS, &format!("{CREATE}{second}{}", launch("(argc > 1 ? k : other)")));
    assert!(either[0].starts_with("defect k: 4 groups of 64 threads, as "), "{either:?}");
}

/// Such a launch may be any kernel's, so every kernel is also verified for all sizes.
#[test]
fn a_handle_that_is_not_followed_may_be_any_kernel_s() {
    let one = "size_t local = 64, global = 64;\nint n = 0;\nclSetKernelArg(k, 1, sizeof(n), &n);\n\
        clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);\n";
    for elsewhere in [
        "extern cl_kernel kept; clEnqueueNDRangeKernel(queue, kept, 1, NULL, &global, &local, 0, NULL, NULL);",
        "cl_kernel all[2] = { k, k }; clEnqueueTask(queue, all[argc & 1], 0, NULL, NULL); all[argc] = 0;",
        "extern void elsewhere(cl_kernel); elsewhere(k);",
        "k = clCreateKernel(program, argv[1], &status); clEnqueueTask(queue, k, 0, NULL, NULL);",
        "cl_kernel all[2]; clCreateKernelsInProgram(program, 2, all, NULL);",
    ] {
        let launches = launches_of(OF_ONE_GROUP, &format!("{CREATE}{one}{elsewhere}"));
        let any: Vec<&String> = launches.iter().filter(|launch| launch.contains("any number of groups")).collect();
        assert!(any.len() == 1 && any[0].starts_with("defect k: "), "{elsewhere}: {launches:?}");
        assert!(launches[0].starts_with("verified k: 1 group of 64 threads"), "{elsewhere}: {launches:?}");
    }
}

#[test]
fn local_memory_has_the_size_that_the_host_sets() {
    let kernel = "__kernel void k(__global int *a, __local int *t) {\n  \
        t[get_local_id(0)] = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[get_global_id(0)] = t[0];\n}\n";
    let launch = |bytes: &str| {
        format!(
            "{CREATE}size_t local = argc > 1 ? atoi(argv[1]) : 128, global = 4 * local;\nif (local < 1 || local > 256) return 1;\n\
             clSetKernelArg(k, 1, {bytes}, NULL);\n\
             clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);"
        )
    };
    let right = launches_of(kernel, &launch("local * sizeof(cl_int)"));
    assert!(right[0].starts_with("verified k: "), "{right:?}");
    let wrong = launches_of(kernel, &launch("local / 2 * sizeof(cl_int)"));
    assert!(wrong[0].starts_with("defect k: "), "{wrong:?}");
}

#[test]
fn one_buffer_for_two_arguments_is_one_array() {
    let kernel = "__kernel void k(__global int *a, __global const int *b) {\n  \
        a[get_global_id(0)] = b[get_global_id(0) + 1];\n}\n";
    let launch = |second: &str| {
        format!(
            "{CREATE}cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 20, NULL, &status);\n\
             clSetKernelArg(k, 1, sizeof(b), &{second});\nsize_t local = 64, global = 256;\n\
             clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);"
        )
    };
    let right = launches_of(kernel, &launch("b"));
    assert!(right[0].starts_with("verified k: 4 groups of 64 threads"), "{right:?}");
    let wrong = launches_of(kernel, &launch("a"));
    assert!(wrong[0].starts_with("defect k: 4 groups of 64 threads"), "{wrong:?}");
}

/// No verdict covers these launches: a note says so, and sizes are open.
#[test]
fn launches_that_no_verdict_covers_are_named() {
    for (call, said) in [
        ("size_t l = 64, g = 100; clEnqueueNDRangeKernel(queue, k, 1, NULL, &g, &l, 0, NULL, NULL);", "the last group"),
        ("size_t g = 64, o = argc; clEnqueueNDRangeKernel(queue, k, 1, &o, &g, &g, 0, NULL, NULL);", "first global id"),
    ] {
        let host = format!("{HOST}{CREATE}{call}\nreturn 0;\n}}\n");
        let folder = Folder::new(&[("a.cl", OF_ONE_GROUP.as_bytes()), ("main.c", host.as_bytes())]);
        let output = folder.run(&["verify", "a.cl", "main.c", "--without=preconditions"]);
        let (text, notes) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(notes.contains("main.c:8: ") && notes.contains(said), "{notes}");
        assert!(text.contains("launch: any number of groups of any size"), "{text}");
    }
}

#[test]
fn hosts_are_found_in_folders_and_by_option() {
    let host = format!(
        "{HOST}{CREATE}size_t one = 1; clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, &one, 0, NULL, NULL);\nreturn 0;\n}}\n"
    );
    let files: &[(&str, &[u8])] = &[("x/a.cl", OF_ONE_GROUP.as_bytes()), ("x/main.c", host.as_bytes())];
    for inputs in [&["x"][..], &["x/a.cl", "--host", "x/main.c"], &["x/main.c", "x/a.cl"]] {
        let launches = launches_in(files, inputs);
        assert_eq!(launches, ["verified k: 1 group of 1 thread, as line 8 of x/main.c launches it"], "{inputs:?}");
    }
    let open = launches_in(files, &["x", "--open-sizes"]);
    assert!(open[0].starts_with("defect k: any number of groups"), "{open:?}");
}

/// The host's launches count for the kernel that is nearest to it.
#[test]
fn kernels_of_one_name_are_told_apart_by_their_folders() {
    let host = format!(
        "{HOST}{CREATE}size_t one = 1; clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, &one, 0, NULL, NULL);\nreturn 0;\n}}\n"
    );
    let kernel = OF_ONE_GROUP.as_bytes();
    let apart: &[(&str, &[u8])] = &[("x/a.cl", kernel), ("x/main.c", host.as_bytes()), ("y/b.cl", kernel)];
    let launches = launches_in(apart, &["."]);
    assert!(launches[0].starts_with("verified k: 1 group") && launches[1].starts_with("defect k: any"), "{launches:?}");
    let together = Folder::new(&[("a.cl", kernel), ("b.cl", kernel), ("main.c", host.as_bytes())]);
    let output = together.run(&["verify", "."]);
    let notes = String::from_utf8_lossy(&output.stderr);
    assert!(notes.contains("there is a kernel k in a.cl and in b.cl"), "{notes}");
}

#[test]
fn hosts_that_cannot_be_read_leave_sizes_open() {
    for (host, said) in [
        ("#include <CL/opencl.hpp>\n", "not through the C++ bindings"),
        ("int main() { return oh; }\n", "launches in host code are not looked at"),
    ] {
        let folder = Folder::new(&[("a.cl", OF_ONE_GROUP.as_bytes()), ("main.cpp", host.as_bytes())]);
        let output = folder.run(&["verify", "a.cl", "main.cpp", "--without=preconditions"]);
        let (text, notes) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(notes.contains(said) && text.contains("launch: any number of groups of any size"), "{text}{notes}");
    }
    let folder = Folder::new(&[("main.c", HOST.as_bytes()), ("a.cl", OF_ONE_GROUP.as_bytes())]);
    for words in [["verify", "main.c"].as_slice(), &["verify", "a.cl", "none.c"]] {
        assert_eq!(folder.run(words).status.code(), Some(3), "{words:?}");
    }
}
