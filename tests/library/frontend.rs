//! Tests the front end on files: verdicts about inputs, source locations, names.

use std::path::{Path, PathBuf};

use lockstep::analysis::strides::with_marked_strides;
use lockstep::frontend::{FrontendOptions, ImportedKernel, InputError, Module, import};
use lockstep::sandbox::SourceTree;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{
    ArrayOrigin, AssertKind, AssumeKind, BinaryOp, FloatType, Kernel, Needs, Operation, ParameterKind, Space, Type,
    VerifiedKernel,
};

/// Imports a text as a file of this name.
fn import_text(name: &str, text: impl AsRef<[u8]>) -> Result<Module, InputError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("the folder is ours");
    import(&path, &FrontendOptions::default())
}

/// The kernels of an OpenCL file that compiles.
fn kernels(text: &str) -> Vec<ImportedKernel> {
    import_text("kernel.cl", text).expect("it compiles").kernels
}

/// The only kernel of an OpenCL file that can be imported.
fn kernel(text: &str) -> Kernel {
    let mut kernels = kernels(text);
    assert_eq!(kernels.len(), 1);
    kernels.remove(0).kernel.expect("nothing in it is unsupported").into_inner()
}

fn operations(kernel: &Kernel) -> Vec<&Operation> {
    let instructions = kernel.blocks.values().flat_map(|block| &block.instructions);
    instructions.map(|instruction| &kernel.instructions[*instruction].operation).collect()
}

fn refusal(kernel: &ImportedKernel) -> (String, u32) {
    let refusal = kernel.kernel.as_ref().expect_err("it is refused");
    (refusal.construct.clone(), refusal.line)
}

#[test]
fn inputs_at_fault_are_told_apart() {
    assert!(matches!(
        import(Path::new("/nonexistent/a.cl"), &FrontendOptions::default()),
        Err(InputError::Unreadable { .. })
    ));
    assert!(matches!(import_text("a.txt", ""), Err(InputError::UnknownKind { .. })));
    assert!(matches!(import_text("a.cl", "void f(void) {}"), Err(InputError::NoKernel { .. })));
    assert!(matches!(import_text("a.ll", ""), Err(InputError::NoKernel { .. })));
    for garbage in [&b"\x00\xff garbage"[..], b"BC\xc0\xde garbage", b"define garbage"] {
        for name in ["a.bc", "a.ll"] {
            let error = import_text(name, garbage).expect_err("it is garbage");
            assert!(matches!(error, InputError::InvalidLlvm { .. }), "{name}: {error}");
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
    let error = import_text("a.cl", "kernel void k(global int *a) {\n  a[0] = b;\n}").expect_err("`b` is unknown");
    assert!(error.to_string().contains("a.cl:2:10: error: use of undeclared identifier 'b'"), "{error}");
}

#[test]
fn a_clang_that_is_not_there_is_named() {
    let options = FrontendOptions { clang: Some(PathBuf::from("/nonexistent/clang")), ..Default::default() };
    let error = import(Path::new(file!()).with_file_name("none.cl").as_path(), &options);
    assert!(matches!(error, Err(InputError::Unreadable { .. })), "the file comes first");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.cl");
    std::fs::write(&path, "kernel void k() {}").expect("the folder is ours");
    let error = import(&path, &options).expect_err("there is no such Clang");
    assert_eq!(error.to_string(), "there is no Clang at /nonexistent/clang");
}

#[test]
fn unsupported_constructs_are_refused_by_name_and_line_and_others_kept() {
    let kernels = kernels(
        "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
void touch(global int *a);
kernel void recursive(global int *a) {
  a[0] = fact(a[1]);
}
kernel void assembly(global int *a) {
  __asm__(\"nop\");
}
kernel void unknown(global int *a) {
  touch(a);
}
kernel void good(global int *a) { a[0] = 1; }
",
    );
    assert_eq!(refusal(&kernels[0]), ("recursive function fact".into(), 4));
    assert_eq!(refusal(&kernels[1]), ("inline assembly".into(), 7));
    assert_eq!(refusal(&kernels[2]), ("call of unknown function touch that is given a pointer".into(), 10));
    assert!(kernels[3].kernel.is_ok());
    assert_eq!((kernels[3].name.as_str(), kernels[3].line), ("good", 12));
    assert!(kernels[3].file.ends_with("kernel.cl"));
}

#[test]
fn functions_that_grow_beyond_measure_are_refused_and_unused_ones_cost_nothing() {
    let often = |i: u32| format!("int f{}(int x) {{ return {}; }}\n", i + 1, vec![format!("f{i}(x)"); 50].join(" + "));
    let text = "int f0(int x) { return x; }\n".to_owned()
        + &(0..40).map(often).collect::<String>()
        + "kernel void large(global int *a) { a[0] = f40(1); }\n\
           kernel void small(global int *a) { a[0] = f1(1); }\n";
    let kernels = kernels(&text);
    let (construct, line) = refusal(&kernels[0]);
    assert!(construct.ends_with("more than 250000 instructions with all calls inlined"), "{construct}");
    assert!((2..=41).contains(&line), "{line}");
    assert!(kernels[1].kernel.is_ok());
}

#[test]
fn a_function_without_a_body_is_an_assumption() {
    let kernels = kernels("int f(int x); kernel void k(global int *a) { a[0] = f(1); }");
    let assumed = Assumed::NoBody { function: "f".to_owned(), given_variables: false };
    assert!(kernels[0].assumptions.find(&assumed).is_some(), "{:?}", kernels[0].assumptions);
    let kernel = kernels[0].kernel.as_ref().expect("it is imported");
    assert!(operations(kernel).iter().any(|operation| matches!(operation, Operation::Anything)));
}

#[test]
fn arrays_have_the_names_spaces_and_sizes_of_the_source() {
    let kernel = kernel(
        "constant int table[3] = {1, 2, -1};
struct pair { int a; float b; };
kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void k(global float4 *restrict p, local int *l, struct pair s, int n, volatile global struct pair *q) {
  local int tile[2][5];
  int own[7];
  own[n] = table[n];
  tile[n][1] = own[l[0]] + s.a;
  p[n].x = tile[1][n];
  q[n].a = 1;
}
",
    );
    let described: Vec<_> = kernel
        .arrays
        .values()
        .map(|array| {
            let element =
                array.element.as_ref().map(|element| (element.name.as_str(), element.bytes, &element.dimensions[..]));
            (array.name.as_str(), array.space, array.origin, element, array.size)
        })
        .collect();
    let expected: Vec<(_, _, _, Option<(_, _, &[u64])>, _)> = vec![
        ("p", Space::Global, ArrayOrigin::Parameter, Some(("float4", 16, &[])), None),
        ("l", Space::Local, ArrayOrigin::Parameter, Some(("int", 4, &[])), None),
        ("s", Space::Private, ArrayOrigin::Aggregate, Some(("struct pair", 8, &[])), Some(8)),
        ("q", Space::Global, ArrayOrigin::Parameter, Some(("struct pair", 8, &[])), None),
        ("own", Space::Private, ArrayOrigin::Stack, Some(("int", 4, &[7])), Some(28)),
        ("table", Space::Constant, ArrayOrigin::Variable, Some(("int", 4, &[3])), Some(12)),
        ("tile", Space::Local, ArrayOrigin::Variable, Some(("int", 4, &[2, 5])), Some(40)),
    ];
    assert_eq!(described, expected);
    let array = |name: &str| kernel.arrays.values().find(|array| array.name == name).expect("listed above");
    assert_eq!(array("table").contents.as_deref(), Some(&[1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255][..]));
    assert!(array("p").restrict && !array("q").restrict);
    assert!(array("q").volatile && !array("p").volatile);
    assert_eq!(kernel.launch.required_group_size, Some([8, 4, 1]));
    assert_eq!(kernel.parameters[3].kind, ParameterKind::Scalar(Type::Bits(32)));
    assert_eq!(kernel.parameters[3].name, "n");
}

#[test]
fn a_variable_that_may_be_uninitialised_stays_undefined() {
    let kernel = kernel("kernel void k(global int *a, int n) { int x; if (n) x = 1; a[0] = x; }");
    // Folding the φ-node of 1 and an undefined value to 1 would hide the read.
    let store = operations(&kernel).into_iter().find_map(|operation| match operation {
        Operation::Store(_, value) => Some(*value),
        _ => None,
    });
    assert!(kernel.operation(store.expect("there is a store")).is_none(), "a block parameter");
    assert!(operations(&kernel).iter().any(|operation| matches!(operation, Operation::Undefined)));
}

#[test]
fn vectors_are_accessed_at_once() {
    let kernel = kernel("kernel void k(global float4 *a) { float4 v = a[1]; v.y = 0; a[0] = v; }");
    let widths: Vec<_> = operations(&kernel)
        .into_iter()
        .filter_map(|operation| match operation {
            Operation::Store(access, value) => Some((kernel.ty(*value), access.alignment)),
            _ => None,
        })
        .collect();
    assert_eq!(widths, [(Type::Bits(128), 16)]);
    let loads = operations(&kernel).into_iter().filter(|operation| matches!(operation, Operation::Load(_)));
    assert_eq!(loads.count(), 1);
}

/// The widths of a kernel's accesses, and their distances from `a`: loads, then stores.
fn places(kernel: &Kernel) -> [Vec<(Type, u64)>; 2] {
    let distance = |pointer| match kernel.operation(pointer) {
        Some(Operation::PointerAdd { offset, .. }) => {
            kernel.constant(*offset).and_then(lockstep_ir::bits::Bits::to_u64)
        }
        _ => Some(0),
    };
    let mut places = [Vec::new(), Vec::new()];
    for data in kernel.blocks.values().flat_map(|block| &block.instructions).map(|at| &kernel.instructions[*at]) {
        match (&data.operation, data.result) {
            (Operation::Load(access), Some(result)) => {
                places[0].push((kernel.ty(result), distance(access.pointer).expect("a constant")));
            }
            (Operation::Store(access, value), _) => {
                places[1].push((kernel.ty(*value), distance(access.pointer).expect("a constant")));
            }
            _ => {}
        }
    }
    places
}

#[test]
fn components_are_accessed_without_the_vector() {
    let float = Type::Float(FloatType::F32);
    let of = |text: &str| places(&kernel(&format!("kernel void k(global float4 *a, float f, int i) {{ {text} }}")));
    assert_eq!(of("a->y = f;"), [vec![], vec![(float, 4)]]);
    assert_eq!(of("a->zy = (float2)(1, 2);"), [vec![], vec![(Type::Bits(64), 4)]]);
    assert_eq!(of("a->xz = (float2)(f, 2);"), [vec![], vec![(float, 0), (float, 8)]]);
    assert_eq!(of("a->wzyx = (float4)(f);"), [vec![], vec![(Type::Bits(128), 0)]]);
    assert_eq!(of("a->x = a->w;"), [vec![(float, 12)], vec![(float, 0)]]);
    assert_eq!(of("a->lo = a->hi;"), [vec![(Type::Bits(64), 8)], vec![(Type::Bits(64), 0)]]);
    assert_eq!(of("a->z += 1;"), [vec![(float, 8)], vec![(float, 8)]]);
    assert_eq!(of("(*a)[3] = f;"), [vec![], vec![(float, 12)]]);
    assert_eq!(of("*(global float3 *)a = (float3)(f);"), [vec![], vec![(Type::Bits(128), 0)]]);
    assert_eq!(of("((global float3 *)a)->y = f;"), [vec![], vec![(float, 4)]]);
    assert_eq!(of("volatile global float4 *v = a; v->x = f;"), [vec![], vec![(float, 0)]]);
    // A vector that is read and written as a whole.
    let whole = (Type::Bits(128), 0);
    assert_eq!(of("float4 v = *a; v.x = f; *a = v;"), [vec![whole], vec![whole]]);
    assert_eq!(of("*a = *a;"), [vec![whole], vec![whole]]);
}

#[test]
fn a_bit_field_is_set_in_its_unit() {
    let kernel = kernel(
        "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
        typedef struct { uint a : 3; uint b : 5; } Fields;
        kernel void k(global Fields *fields) { fields->b = 1; fields->a = fields->b; }",
    );
    let needs = operations(&kernel).into_iter().filter_map(|operation| match operation {
        Operation::Load(access) => Some(access.needs),
        _ => None,
    });
    assert_eq!(needs.collect::<Vec<_>>(), [Needs::Nothing, Needs::Everything, Needs::Nothing]);
}

#[test]
fn a_struct_is_copied_in_the_parts_that_the_kernel_uses() {
    let kernel = kernel(
        "typedef struct { float3 place; float mass; char tag; } Body; /* 11 bytes of padding at its end */\n\
         kernel void copy(global Body *bodies) {\n\
           Body body = bodies[get_global_id(0)];\n\
           body.mass *= 2;\n\
           bodies[get_global_id(0) + 1] = body;\n\
         }\n",
    );
    let count = |is: fn(&Operation) -> bool| operations(&kernel).into_iter().filter(|operation| is(operation)).count();
    // The mass, and the copies before and after it, both through the thread's own memory.
    assert_eq!(count(|operation| matches!(operation, Operation::Load(_))), 5);
    assert_eq!(count(|operation| matches!(operation, Operation::Store(..))), 5);
}

#[test]
fn assertions_and_assumptions_need_no_header() {
    let kernel = kernel(
        "kernel void k(int n, global int *p) { __requires(n > 0); __assume(p != 0); __assert(n); __global_assert(n == 1); }",
    );
    let kinds: Vec<_> = operations(&kernel)
        .into_iter()
        .filter_map(|operation| match operation {
            Operation::Assume(_, kind) => Some((Some(*kind), None)),
            Operation::Assert(_, kind) => Some((None, Some(*kind))),
            _ => None,
        })
        .collect();
    let expected = [
        (Some(AssumeKind::Precondition), None),
        (Some(AssumeKind::User), None),
        (None, Some(AssertKind::User)),
        (None, Some(AssertKind::Global)),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn places_tell_line_column_and_the_calls_between() {
    let kernel = kernel(
        "static void set(global int *a, int i) {\n  a[i] = 1;\n}\nkernel void k(global int *a) {\n  set(a, 3);\n}\n",
    );
    let store = kernel.instructions.values().find(|data| matches!(data.operation, Operation::Store(..)));
    let location = &kernel.locations[store.and_then(|data| data.location).expect("it has a place")];
    assert_eq!((location.line, location.column, location.function.as_str()), (2, 8, "set"));
    let caller = &kernel.locations[location.inlined_at.expect("it was inlined")];
    assert_eq!((caller.line, caller.column, caller.function.as_str()), (5, 3, "k"));
    assert!(caller.inlined_at.is_none());
}

#[test]
fn loop_variables_keep_their_names() {
    let kernel = kernel("kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }");
    let parameters = kernel.blocks.values().flat_map(|block| &block.parameters);
    let names: Vec<_> = parameters.filter_map(|value| kernel.values[*value].name.as_deref()).collect();
    assert_eq!(names, ["i"]);
}

#[test]
fn llvm_arithmetic_is_imported_exactly() {
    let module = import_text(
        "a.ll",
        "target triple = \"spir64-unknown-unknown\"
define spir_kernel void @k(ptr addrspace(1) %a, i32 %n) {
  %v = call i32 @llvm.smax.i32(i32 %n, i32 3)
  store i32 %v, ptr addrspace(1) %a
  store i128 -12, ptr addrspace(1) %a
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
",
    )
    .expect("it is valid");
    let kernel = module.kernels[0].kernel.as_ref().expect("it is supported");
    let stored: Vec<_> = operations(kernel)
        .into_iter()
        .filter_map(|operation| match operation {
            Operation::Store(_, value) => Some(*value),
            _ => None,
        })
        .collect();
    // The larger of two numbers is the second if the first is less.
    let Some(Operation::Select(less, second, first)) = kernel.operation(stored[0]) else { panic!("a selection") };
    let Some(Operation::Compare(_, left, right)) = kernel.operation(*less) else { panic!("a comparison") };
    assert_eq!((left, right), (first, second));
    assert_eq!(kernel.constant(stored[1]).map(|bits| bits.signed().to_string()).as_deref(), Some("-12"));
    assert_eq!(kernel.ty(stored[1]), Type::Bits(128));
}

/// LLVM's shared library also needs a Z3: it gets ours.
#[test]
fn one_z3_is_loaded() {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("a process can read its own maps");
    let files: std::collections::BTreeSet<&str> = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5))
        .filter(|file| file.contains("/libz3."))
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

/// The kernels of a PTX file that can be read.
fn ptx_kernels(functions: &str) -> Vec<ImportedKernel> {
    let text = format!(".version 8.3\n.target sm_80\n.address_size 64\n{functions}");
    import_text("k.ptx", text).expect("it is PTX").kernels
}

#[test]
fn text_that_is_no_ptx_is_told_with_its_line() {
    for (text, said) in [
        (".version 8.3\n.target sm_80\n.entry k( { ret; }", "line 3: PTX with `{ ret`"),
        (".version x\n", "line 1: PTX with `x`"),
        (".entry k() { ret;\n", "line 1: a function that does not end"),
        ("garbage\n", "line 1: PTX with `garbage`"),
    ] {
        let error = import_text("a.ptx", text).expect_err("it is no PTX");
        assert!(matches!(error, InputError::InvalidPtx { .. }), "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
    assert!(matches!(import_text("a.ptx", ".version 8.3\n.func f() { ret; }"), Err(InputError::NoKernel { .. })));
}

#[test]
fn refused_ptx_costs_its_own_kernel_only() {
    let kernels = ptx_kernels(
        ".func other()\n{\n  frobnicate.u32 a, (b);\n  ret;\n}\n\
         .entry bad()\n{\n  call.uni other;\n  ret;\n}\n\
         .entry recursive()\n{\n  call.uni again;\n  ret;\n}\n\
         .func again()\n{\n  call.uni again;\n  ret;\n}\n\
         .entry pointer()\n{\n  .reg .b64 %rd<2>;\n  call.uni %rd1;\n  ret;\n}\n\
         .entry good()\n{\n  ret;\n}\n",
    );
    let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["bad", "recursive", "pointer", "good"]);
    assert_eq!(refusal(&kernels[0]), ("PTX with `( b )`".into(), 6));
    assert_eq!(refusal(&kernels[1]), ("recursive function again".into(), 21));
    assert_eq!(refusal(&kernels[2]), ("call through a pointer".into(), 27));
    assert!(kernels[3].kernel.is_ok());
}

#[test]
fn ptx_gives_the_sizes_of_launches() {
    let kernels =
        ptx_kernels(".entry a() .reqntid 32, 4, 1 { ret; }\n.entry b() .maxntid 32, 4, 2 .minnctapersm 2 { ret; }\n");
    let launch = |index: usize| &kernels[index].kernel.as_ref().expect("it is read").launch;
    assert_eq!(launch(0).required_group_size, Some([32, 4, 1]));
    assert_eq!(launch(1).max_group_threads, Some(256));
}

#[test]
fn ptx_parameters_are_pointers_where_they_are_used_as_addresses() {
    let kernels = ptx_kernels(
        ".entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .f32 k_param_2,\n\
         .param .align 8 .b8 k_param_3[24], .param .u64 .ptr .shared .align 4 k_param_4)\n{\n\
         .reg .b32 %r<4>;\n.reg .b64 %rd<8>;\n\
         ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\n\
         shl.b64 %rd3, %rd2, 2;\nadd.s64 %rd4, %rd3, %rd1;\nld.global.u32 %r1, [%rd4];\n\
         ld.param.u64 %rd5, [k_param_3+8];\nld.param.u32 %r2, [k_param_3+16];\n\
         add.u32 %r3, %r1, %r2;\nst.global.u32 [%rd5], %r3;\nret;\n}\n",
    );
    let kernel = kernels[0].kernel.as_ref().expect("it is read");
    let shown: Vec<String> = kernel
        .parameters
        .iter()
        .map(|parameter| {
            let kind = match parameter.kind {
                ParameterKind::Pointer(array) => format!("pointer to {:?}", kernel.arrays[array].space),
                ParameterKind::Scalar(ty) => format!("{ty:?}"),
                ParameterKind::Aggregate(array) => format!("struct of {:?} bytes", kernel.arrays[array].size),
                ParameterKind::Opaque => "opaque".to_owned(),
            };
            format!("{}: {kind}", parameter.name)
        })
        .collect();
    let expected = [
        "param_0: pointer to Global",
        "param_1: Bits(64)",
        "param_2: Float(F32)",
        "param_3: struct of Some(24) bytes",
        "param_4: pointer to Local",
        "param_3+16: Bits(32)",
    ];
    assert_eq!(shown, expected);
    assert!(kernel.arrays.values().any(|array| array.name == "param_3+8" && array.origin == ArrayOrigin::Parameter));
    let is_listed = |name: &str| {
        let name = name.to_owned();
        kernels[0].assumptions.find(&Assumed::IntegerIsAddress { name }).is_some()
    };
    assert!(is_listed("param_0") && is_listed("param_3+8"));
}

#[test]
fn ptx_names_sources_that_may_be_read_only() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("k.cu");
    std::fs::write(&source, "first\nsecond\nthird\n").expect("the folder is ours");
    let elsewhere = tempfile::NamedTempFile::new().expect("a temporary file");
    let text = format!(
        ".version 8.3\n.target sm_80\n.entry k() {{\n.loc 1 2 3\nbar.sync 0;\n.loc 2 1 1\nbar.sync 0;\nret;\n}}\n\
         .file 1 \"k.cu\"\n.file 2 \"{}\"\n",
        elsewhere.path().display()
    );
    let path = folder.path().join("k.ptx");
    std::fs::write(&path, text).expect("the folder is ours");
    let tree = SourceTree::new([folder.path()]);
    let options = FrontendOptions { tree: Some(tree), ..FrontendOptions::default() };
    let module = import(&path, &options).expect("it is read");
    let kernel = module.kernels[0].kernel.as_ref().expect("it is read");
    let places: Vec<(String, u32)> = kernel
        .instructions
        .values()
        .map(|data| kernel.place(data.location))
        .map(|place| (place.file, place.line))
        .collect();
    let shown = |path: &Path| path.display().to_string();
    assert_eq!(places, [(shown(&source), 2), (shown(&path), 7)]);
    assert!(module.kernels[0].sources.contains(&shown(&source)));
}

/// PTX whose racy end lies behind so many steps, which a jump leads over.
fn ptx_with_far_end(steps: usize) -> ImportedKernel {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<4>;\n\
         .reg .b64 %rd<4>;\nbra FAR;\n{}FAR:\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n\
         st.global.u32 [%rd1], %r1;\nret;\n}}\n",
        "add.s32 %r2, %r2, 1;\n".repeat(steps)
    );
    import_text("k.ptx", text).expect("it is PTX").kernels.remove(0)
}

#[test]
fn ptx_that_is_cut_off_is_refused() {
    let whole = ptx_with_far_end(10).kernel.expect("nothing in it is refused").into_inner();
    assert!(operations(&whole).iter().any(|operation| matches!(operation, Operation::Store(..))));
    let (construct, _) = refusal(&ptx_with_far_end(250_001));
    assert!(construct.contains("more than 250000 instructions"), "{construct}");
}

/// The sums of 32 bits that must not wrap as numbers without a sign.
fn marked_sums(kernel: &VerifiedKernel) -> usize {
    let is_marked = |operation: &Operation| match operation {
        Operation::Binary(BinaryOp::Add, marks, ..) => marks.unsigned && !marks.meant,
        _ => false,
    };
    kernel.instructions.values().filter(|data| is_marked(&data.operation)).count()
}

#[test]
fn sums_by_strides_of_the_launch_are_marked_for_runs() {
    let text = "__global__ void k(int *a, unsigned n) {
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            a[i] = 1;
    }
    __global__ void no_counter(int *a, unsigned n) {
        unsigned sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += gridDim.x * blockDim.x;
        a[sum] = 1;
    }";
    let kernels = import_text("k.cu", text).expect("it compiles").kernels;
    for (kernel, expected) in kernels.iter().zip([1, 0]) {
        let kernel = kernel.kernel.as_ref().expect("it can be read");
        assert_eq!(marked_sums(kernel), 0, "{}", kernel.name);
        let marked = with_marked_strides(kernel).expect("it has a structure");
        assert_eq!(marked_sums(&marked), expected, "{}", kernel.name);
    }
}
