//! The trees.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::place::{GOOD, Place, canary};
use super::{Expected, Tree};
use Expected::{Agrees, Nothing, Verified};

/// A kernel with a race, whose line is shown.
const RACY: &str = "__kernel void racy(__global int *a) {\n  a[0] = get_global_id(0);\n}\n";

/// A kernel that tries to hide its race in the memory of a model, by naming its section in this
/// way.
fn in_memory_of_models(section: &str) -> String {
    format!(
        "#include <cub/cub.cuh>\n__global__ void hidden(int *out) {{\n  static __shared__ __attribute__((section({section}))) int cells[64];\n  \
         typedef cub::BlockReduce<int, 64> Sum;\n  __shared__ Sum::TempStorage storage;\n  cells[threadIdx.x] = 1;\n  \
         Sum(storage).Sum(1);\n  out[threadIdx.x] = cells[63 - threadIdx.x];\n}}\n"
    )
}

/// A module in which threads share a vector and store all of it, with the mark of an access to
/// components.
const MARKED: &str = "target triple = \"spir64\"\n\
    declare spir_func i64 @_Z13get_global_idj(i32)\n\
    define spir_kernel void @marked(ptr addrspace(1) align 16 %a) {\n  \
    %i = call spir_func i64 @_Z13get_global_idj(i32 0)\n  \
    %half = lshr i64 %i, 1\n  \
    %p = getelementptr inbounds <4 x i32>, ptr addrspace(1) %a, i64 %half\n  \
    %odd = and i64 %i, 1\n  \
    %lane = trunc i64 %odd to i32\n  \
    %v = load <4 x i32>, ptr addrspace(1) %p, align 16, !lockstep.component !0\n  \
    %w = insertelement <4 x i32> %v, i32 %lane, i32 %lane\n  \
    store <4 x i32> %w, ptr addrspace(1) %p, align 16, !lockstep.component !0\n  \
    ret void\n}\n!0 = !{}\n";

const fn tree(name: &'static str, build: fn(&Place), said: &'static [&'static str]) -> Tree {
    Tree { name, build, words: &[], expected: Verified, said }
}

const fn suite(name: &'static str, build: fn(&Place), said: &'static [&'static str]) -> Tree {
    Tree { name, build, words: &["suite", "."], expected: Agrees, said }
}

const fn recording(name: &'static str, build: fn(&Place), said: &'static [&'static str]) -> Tree {
    Tree { name, build, words: &["verify", "--json", "launches.json"], expected: Verified, said }
}

/// A database with the good kernel and one with these words.
fn database(place: &Place, words: &[&str]) {
    place.put("other.cl", RACY);
    place.response("r");
    place.database(&[("good.cl", &[]), ("other.cl", words)]);
}

/// A suite with the good kernel and one with these flags.
fn with_flags(place: &Place, flags: &str) {
    place.response("r");
    place.put("good.cl", &format!("//pass\n//--local_size=64 --num_groups=2\n{GOOD}"));
    place.put("other.cl", &format!("//pass\n//--local_size=64 --num_groups=2 {flags}\n{RACY}"));
}

/// Recordings of the good kernel and of another file with these flags.
fn record(place: &Place, file: &str, kernel: &str, flags: &str) {
    place.response("r");
    let launch = |file: &str, kernel: &str, flags: &str| {
        serde_json::json!({ "language": "OpenCL", "kernel_file": file, "entry_point": kernel, "local_size": [64],
            "global_size": [128], "compiler_flags": flags })
    };
    let all = [launch("good.cl", "good", ""), launch(file, kernel, flags)];
    place.put("launches.json", &serde_json::to_string(&all).expect("JSON"));
    place.put("other.cl", RACY);
}

fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

fn sparse(place: &Place, name: &str, bytes: u64) {
    fs::File::create(place.path(name)).and_then(|file| file.set_len(bytes)).expect("a file");
}

fn pipe(place: &Place, name: &str) {
    let status = std::process::Command::new("mkfifo").arg(place.path(name)).status();
    assert!(status.expect("mkfifo").success());
}

pub const TREES: &[Tree] = &[
    // Response files.
    tree("response file as a macro", |place| database(place, &["-D@r"]), &["entry 1 (other.cl): `-D@r`"]),
    tree("response file as a macro apart", |place| database(place, &["-D", "@r"]), &["`-D@r`"]),
    tree("response file as an undefined macro", |place| database(place, &["-U@r"]), &["`-U@r`"]),
    tree("response file as a folder", |place| database(place, &["-I@r", "-isystem", "@r", "-iquote@r"]), &[]),
    tree("response file as a header", |place| database(place, &["-include", "@r", "-imacros", "@r"]), &[]),
    tree(
        "response file in a response file",
        |place| {
            place.put("flags", "-D@r -I@r");
            database(place, &["@flags"]);
        },
        &["`-D@r`"],
    ),
    tree(
        "response file as a source",
        |place| {
            place.response("r.cl");
            place.put("@r.cl", RACY);
            place.put("sub/@r.cl", RACY);
        },
        &["racy"],
    ),
    tree(
        "response file as a source in a database",
        |place| {
            place.response("r.cl");
            place.put("@r.cl", RACY);
            place.database(&[("good.cl", &[]), ("@r.cl", &[])]);
        },
        &["racy"],
    ),
    recording("response file in a recording", |place| record(place, "other.cl", "racy", "-D@r"), &["`-D@r`"]),
    recording("response file as a folder in a recording", |place| record(place, "other.cl", "racy", "-I @r"), &[]),
    suite("response file in a suite", |place| with_flags(place, "-D@r -I@r"), &["`-D@r`"]),
    // Plugins and programs.
    tree(
        "plugins in a database",
        |place| {
            database(place, &["-fplugin=./p.so", "-fpass-plugin=./p.so", "-Xclang", "-load", "-Xclang", "./p.so"]);
        },
        &["-fplugin=./p.so in a compilation database has no effect"],
    ),
    tree(
        "other programs in a database",
        |place| {
            place.put("spec", "*cpp:\n./evil.sh\n");
            place.put("clang.cfg", "-Xclang -load -Xclang ./p.so\n");
            database(
                place,
                &["-B.", "-specs=spec", "--config", "clang.cfg", "-wrapper", "./evil.sh", "-ccbin", "./evil.sh"],
            );
        },
        &["--config in a compilation database has no effect"],
    ),
    tree(
        "a compiler in a database",
        |place| {
            place.put(
                "compile_commands.json",
                r#"[{"directory": ".", "file": "good.cl", "arguments": ["./evil.sh", "good.cl"]}]"#,
            );
        },
        &[],
    ),
    tree(
        "outputs in a database",
        |place| {
            let out = place.outside("elsewhere/out").display().to_string();
            database(place, &["-o", &out, "-MF", "written", "-MD", "--serialize-diagnostics", &out, "-save-temps"]);
        },
        &[],
    ),
    suite("a compiler in a suite", |place| with_flags(place, "--clang=./evil.sh"), &["may not have --clang"]),
    suite(
        "a plugin in a suite",
        |place| with_flags(place, "--clang-opt=-fplugin=./p.so"),
        &["may not have --clang-arg=-fplugin"],
    ),
    suite("raw options in a suite", |place| with_flags(place, "--clang-arg=-Wp,@r"), &["may not have --clang-arg"]),
    suite("a solver in a suite", |place| with_flags(place, "--recheck=./evil.sh"), &["may not have --recheck"]),
    suite("outputs in a suite", |place| with_flags(place, "-o written --witness=written"), &["may not have"]),
    suite(
        "files elsewhere in a suite",
        |place| {
            let secret = place.outside("secret.h").display().to_string();
            with_flags(place, &format!("--boogie-file={secret}"));
        },
        &["may not have --boogie-file"],
    ),
    suite(
        "files that are none in a suite",
        |place| {
            with_flags(place, "");
            pipe(place, "pipe.cl");
            sparse(place, "giant.cl", 1 << 33);
            place.link(&place.outside("secret.cl"), "leak.cl");
            place.link(Path::new("/dev/zero"), "zero.cl");
        },
        &["leak.cl: not read", "zero.cl", "pipe.cl", "giant.cl"],
    ),
    suite(
        "trust in itself in a suite",
        |place| with_flags(place, "--trust-headers --clang=./evil.sh"),
        &["may not have"],
    ),
    tree(
        "files of configuration",
        |place| {
            for name in
                ["clang.cfg", "clang-19.cfg", "x86_64-pc-linux-gnu-clang.cfg", ".clang", "spir64-unknown-unknown.cfg"]
            {
                place.put(name, "-Xclang -load -Xclang ./p.so\n");
            }
        },
        &[],
    ),
    tree(
        "Clang's own debugging aids",
        |place| {
            place.put("crash.cl", "#pragma clang __debug parser_crash\n__kernel void k(void) {}\n");
            place.put("module.cl", "#pragma clang module import evil\n__kernel void k(void) {}\n");
            place.put("module.modulemap", "module evil { header \"p.so\" }\n");
        },
        &[],
    ),
    // Reading.
    tree(
        "line directive",
        |place| {
            let secret = quoted(&place.outside("secret.h"));
            place.put(
                "other.cl",
                &format!("__kernel void racy(__global int *a) {{\n#line 1 {secret}\n  a[0] = get_global_id(0);\n}}\n"),
            );
        },
        &["the source says that lines of it are those of ", "racy"],
    ),
    tree(
        "line marker",
        |place| {
            let secret = quoted(&place.outside("secret.h"));
            place.put("other.cl", &format!("# 1 {secret} 1\n{RACY}"));
            place.put(
                "third.cl",
                &format!(
                    "# 1 {secret}\n{GOOD}__kernel void n(__global int *a, int n) {{ __requires(n > 1); a[0] = n; }}\n"
                ),
            );
        },
        &["which was not read"],
    ),
    tree(
        "line directive in CUDA",
        |place| {
            let secret = quoted(&place.outside("secret.h"));
            place.put("other.cu", &format!("#line 1 {secret}\n__global__ void racy(int *a) {{ a[0] = threadIdx.x; }}\nvoid f(int *p) {{ racy<<<1, 2>>>(p); }}\n"));
        },
        &["racy"],
    ),
    tree(
        "debug information",
        |place| {
            let folder = place.outside("").display().to_string();
            place.put("other.ll", &LL.replace("FOLDER", &folder));
        },
        &["racy"],
    ),
    tree(
        "header elsewhere",
        |place| {
            let secret = quoted(&place.outside("secret.h"));
            place.put("other.cl", &format!("#include {secret}\n{RACY}"));
            place.put("third.cl", &format!("#include \"../secret.h\"\n{RACY}"));
            place.put("fourth.cl", &format!("#if __has_include({secret})\n#include {secret}\n#endif\n{RACY}"));
        },
        &["--allow-read"],
    ),
    tree(
        "backslash that passes for a slash",
        |place| {
            let secret = quoted(&place.outside("secret.h"));
            let racy =
                format!("__kernel void racy(__global int *a) {{\n#line 1 {secret}\n  a[0] = get_global_id(0);\n}}\n");
            fs::create_dir(place.path("x")).expect("a folder");
            place.put(r"x\..\..\secret.h", "#define F 1\n");
            place.put("other.cl", &format!("#include \"x\\..\\..\\secret.h\"\n{racy}"));
            place.put("y/b\\..\\..\\..\\secret.h", "1");
            place.put("y/b/none", "");
            let embedded = format!("__constant char s[] = {{\n#embed \"y/b\\..\\..\\..\\secret.h\"\n}};\n{racy}");
            place.put("third.cl", &embedded);
            // A file of the same name is in the tree, and harmless.
            let undefined = "#undef __scoped_atomic_fetch_add\n#define ADD __scoped_atomic_fetch_add\n";
            place.put(r"h\e.h", undefined);
            place.put("h/e.h", "#define NOTHING\n");
            place.put(
                "fourth.cl",
                "#include \"h\\e.h\"\n__kernel void hidden(__global int *a) { ADD(a, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); }\n",
            );
        },
        &[r"x\..\..\secret.h, whose name has a backslash", r"h\e.h, whose name has a backslash"],
    ),
    tree(
        "line break that passes for the end of a name",
        |place| {
            let secret = place.outside("secret.h");
            let hidden = format!("d\n{}", secret.display());
            place.put(&hidden, "#define F 1\n");
            let rest = secret.strip_prefix("/").expect("it is absolute").display();
            place.put(
                "other.cl",
                &format!("#include \"{rest}\"\n__kernel void racy(__global int *a) {{\n#line 1 \"{}\"\n  a[0] = get_global_id(0);\n}}\n", secret.display()),
            );
            place.database(&[("good.cl", &[]), ("other.cl", &["-I", "d\n"])]);
        },
        &["a line break in its path"],
    ),
    tree(
        "embedded file",
        |place| {
            let secret = quoted(&place.outside("secret.h"));
            place.put("other.cl", &format!("__constant char s[] = {{\n#embed {secret}\n}};\n{RACY}"));
            place.put(
                "third.cl",
                &format!(
                    "__kernel void k(__global int *a) {{ __asm__(\".incbin {}\"); a[0] = 1; }}\n",
                    secret.replace('"', "\\\"")
                ),
            );
        },
        &["--allow-read"],
    ),
    tree(
        "links out of the tree",
        |place| {
            place.link(&place.outside("secret.cl"), "leak.cl");
            place.link(&place.outside("secret.h"), "leak.h");
            place.link(&place.outside(""), "up");
            place.put("other.cl", &format!("#include \"leak.h\"\n{RACY}"));
            place.put("third.cl", &format!("#include \"up/secret.h\"\n{RACY}"));
        },
        &["leak.cl: not read, since it lies outside"],
    ),
    tree(
        "links in a circle",
        |place| {
            place.link(Path::new("b.cl"), "a.cl");
            place.link(Path::new("a.cl"), "b.cl");
            fs::create_dir(place.path("sub")).expect("a folder");
            place.link(Path::new(".."), "sub/again");
            place.link(Path::new("loop.h"), "loop.h");
            place.put("other.cl", &format!("#include \"loop.h\"\n{RACY}"));
        },
        &[],
    ),
    tree(
        "database that points elsewhere",
        |place| {
            let [secret, header] = ["secret.cl", "secret.h"].map(|name| place.outside(name).display().to_string());
            place.put("other.cl", RACY);
            place.database(&[
                ("good.cl", &[]),
                (&secret, &[]),
                ("../secret.cl", &[]),
                ("other.cl", &["-include", &header]),
            ]);
        },
        &["lies outside", "names a file outside of the source tree"],
    ),
    tree(
        "response file elsewhere",
        |place| {
            let secret = place.outside("secret.h").display().to_string();
            database(place, &[&format!("@{secret}"), "--options-file", &secret]);
        },
        &["is outside of the source tree"],
    ),
    recording("recording that points elsewhere", |place| record(place, "../secret.cl", "other", ""), &["lies outside"]),
    // Sources that are not regular files.
    tree("named pipe as a source", |place| pipe(place, "pipe.cl"), &[]),
    Tree {
        name: "named pipe that is named",
        build: |place| pipe(place, "pipe.cl"),
        words: &["verify", "pipe.cl"],
        expected: Nothing,
        said: &["no regular file"],
    },
    Tree {
        name: "named pipe as axioms",
        build: |place| pipe(place, "pipe.bpl"),
        words: &["verify", "good.cl", "--boogie-file=pipe.bpl"],
        expected: Nothing,
        said: &["no regular file"],
    },
    Tree {
        name: "named pipe as a baseline",
        build: |place| pipe(place, "pipe.sarif"),
        words: &["verify", "good.cl", "--baseline=pipe.sarif"],
        expected: Nothing,
        said: &["no regular file"],
    },
    Tree {
        name: "named pipe as explanations",
        build: |place| pipe(place, "pipe.txt"),
        words: &["suite", ".", "--explanations=pipe.txt"],
        expected: Nothing,
        said: &["no regular file"],
    },
    Tree {
        name: "named pipe as an array",
        build: |place| pipe(place, "pipe.npy"),
        words: &["run", "good.cl", "--local-size=4", "--num-groups=1", "--arg=a=file:pipe.npy"],
        expected: Nothing,
        said: &["no regular file"],
    },
    Tree {
        name: "named pipe as a schedule",
        build: |place| pipe(place, "pipe.turns"),
        words: &["run", "good.cl", "--local-size=4", "--num-groups=1", "--schedule=file:pipe.turns"],
        expected: Nothing,
        said: &["no regular file"],
    },
    Tree {
        name: "device as axioms",
        build: |place| place.link(Path::new("/dev/zero"), "zero.bpl"),
        words: &["verify", "good.cl", "--boogie-file=zero.bpl"],
        expected: Nothing,
        said: &["no regular file"],
    },
    tree("named pipe as a database", |place| pipe(place, "compile_commands.json"), &[]),
    tree(
        "named pipe as a header",
        |place| {
            pipe(place, "pipe.h");
            place.put("other.cl", &format!("#include \"pipe.h\"\n{RACY}"));
        },
        &["timeout after 5 s: reading the file"],
    ),
    tree(
        "device as a source",
        |place| {
            place.link(Path::new("/dev/zero"), "zero.cl");
            place.link(Path::new("/dev/stdin"), "input.cl");
        },
        &[],
    ),
    tree(
        "device as a header",
        |place| {
            place.put("other.cl", &format!("#include \"/dev/stdin\"\n{RACY}"));
            place.put("third.cl", &format!("#include \"/dev/zero\"\n{RACY}"));
            place.put("fourth.cl", &format!("#include \"/dev/tty\"\n{RACY}"));
        },
        &[],
    ),
    // Size.
    tree(
        "giant local array",
        |place| {
            let large = "__kernel void large(__global int *a) {\n  __local char cells[1ul << 40];\n  \
                         cells[get_local_id(0)] = 1;\n  a[get_global_id(0)] = cells[get_local_id(0)];\n}\n";
            place.put("other.cl", &format!("{large}{RACY}"));
        },
        // The other kernel in the same file is judged.
        &["write-write race on a[0]"],
    ),
    tree(
        "giant header",
        |place| {
            sparse(place, "giant.h", 1 << 30);
            place.put("other.cl", &format!("#include \"giant.h\"\n{RACY}"));
        },
        &[],
    ),
    // Lockstep's own files and names.
    tree(
        "memory of models",
        |place| place.put("own.cu", &in_memory_of_models("\"lockstep_library\"")),
        &["names that begin with __lockstep_ are Lockstep's own"],
    ),
    tree(
        "memory of models in pieces",
        |place| place.put("own.cu", &in_memory_of_models("\"lockstep_\" \"library\"")),
        &["which says that it is a library model's"],
    ),
    tree("marks in LLVM IR", |place| place.put("marked.ll", MARKED), &["marked (marked.ll): 2 possible findings"]),
    tree("giant source", |place| sparse(place, "giant.cl", 1 << 33), &["it is longer than"]),
    tree(
        "header that includes itself",
        |place| {
            place.put("again.h", "#include \"again.h\"\n#include \"again.h\"\n");
            place.put("other.cl", &format!("#include \"again.h\"\n{RACY}"));
            place.put("third.cl", "#include __FILE__\n");
        },
        &["nested too deeply"],
    ),
    tree(
        "exponential macros",
        |place| {
            let mut text = "#define A0 a[0] += 1;\n".to_owned();
            for level in 1..40 {
                let _ = writeln!(text, "#define A{level} A{0} A{0} A{0} A{0}", level - 1);
            }
            place.put("other.cl", &format!("{text}__kernel void racy(__global int *a) {{ A39 }}\n"));
        },
        &[],
    ),
    tree(
        "deep parentheses",
        |place| {
            let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
            place.put("other.cl", &format!("__kernel void racy(__global int *a) {{ a[0] = {open}1{close}; }}\n"));
            place.put(
                "third.cl",
                &format!(
                    "__kernel void racy(__global int *a) {{ {} a[0] = 1; {} }}\n",
                    "{".repeat(100_000),
                    "}".repeat(100_000)
                ),
            );
            place.put(
                "fourth.cl",
                &format!("__kernel void racy(__global int *a) {{ a[0] = {}1; }}\n", "-~".repeat(100_000)),
            );
        },
        &[],
    ),
    tree(
        "deep templates",
        |place| {
            let text = "template <int N> struct F { static constexpr long v = F<N - 1>::v + F<N - 2>::v; };\n\
            template <class A, int N> struct T { typename T<T<A, N - 1>, N - 1>::t t; };\n\
            __global__ void racy(int *a) { a[0] = F<100000>::v + sizeof(T<int, 60>); }\n";
            place.put("other.cu", text);
        },
        &[],
    ),
    tree(
        "many small files",
        |place| {
            // Clang needs hours for 100,000 sources. Unless all are wanted, most are other files.
            let all = std::env::var("LOCKSTEP_HOSTILE").is_ok_and(|which| which == "all");
            for index in 0..100_000 {
                if index % 1000 == 0 {
                    fs::create_dir(place.path(&format!("many{index}"))).expect("a folder");
                }
                let kind = if all || index % 333 == 0 { "cl" } else { "h" };
                let name = format!("many{}/f{index}.{kind}", index / 1000 * 1000);
                fs::write(place.path(&name), "").expect("a file");
            }
        },
        &[],
    ),
    tree(
        "huge diagnostics",
        |place| {
            let mut text = String::new();
            for number in 0..400 {
                let _ = writeln!(text, "#warning {number} {}", "x".repeat(3_000));
            }
            place.put("other.cl", &(text + RACY));
        },
        &["Clang says more than this"],
    ),
    Tree {
        name: "database that is nested deeply",
        build: |place| place.put("compile_commands.json", &("[".repeat(200_000) + &"]".repeat(200_000))),
        words: &["verify", ".", "good.cl"],
        expected: Verified,
        said: &["no compilation database"],
    },
    tree(
        "database that is long",
        |place| {
            let entry = r#"{"directory": ".", "file": "good.cl", "arguments": ["clang", "-O1"]},"#;
            let last = r#"{"directory": ".", "file": "good.cl", "arguments": ["clang"]}"#;
            place.put("compile_commands.json", &format!("[{}{last}]", entry.repeat(20_000)));
        },
        &[],
    ),
    // Names.
    tree(
        "markup in names",
        |place| {
            place.put("<script>alert(1)</script>.cl", RACY);
            place.put(
                "<!--\"'><script>alert(2)</script>.cl".replace('/', "").as_str(),
                &format!("// <script>alert(3)</script>\n{RACY}"),
            );
            place.put(
                "third.cl",
                &RACY.replace(";\n", "; // <script>alert(4)</script> ]]> --> </style><script>alert(5)</script>\n"),
            );
            place.put(
                "fourth.ll",
                &LL.replace("racy", "<script>alert(6)</script>").replace("other.cl", "<script>alert(7)</script>"),
            );
        },
        &[],
    ),
    tree(
        "terminal commands in names",
        |place| {
            place.put("\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[8m.cl", RACY);
            place.put("other.cl", &RACY.replace(";\n", "; // \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[8mhidden\u{202e}\r\n"));
            place.put("third.cl", "#error \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[8m\n");
            place.put("fourth.cl", &format!("#line 1 \"\\033]0;owned\\007\\033[2J\\033[8m\"\n{RACY}"));
            place.put("fifth.cl", &format!("#pragma message(\"\\033]0;owned\\007\\033[8m\")\n{RACY}"));
            place.put(
                "sixth.ll",
                &LL.replace("racy", "\\1B]0;owned\\07\\1B[2J\\1B[8m").replace("other.cl", "\\1B]0;x\\07\\1B[8m"),
            );
            place.put("seventh.cl", "__kernel void k(__global int *a, int n) { __requires(n == 1 /* \u{1b}]0;owned\u{7}\u{1b}[8m */); a[get_global_id(0)] = n; }\n");
        },
        &[],
    ),
    tree(
        "newlines in names",
        |place| {
            place.put("a\nverified fake\n.cl", RACY);
            place.put("b\r\n.cl", GOOD);
            place.put("c\nd.cl", "not C\n");
        },
        &[],
    ),
    tree(
        "names that are not UTF-8",
        |place| {
            fs::write(place.path("").join(OsStr::from_bytes(b"\xff\xfe.cl")), RACY).expect("a file");
        },
        &[],
    ),
    tree(
        "shell commands in names",
        |place| {
            for name in [
                "$(sh evil.sh).cl",
                "`sh evil.sh`.cl",
                "; sh evil.sh;.cl",
                "' ; sh evil.sh ; '.cl",
                "-rf.cl",
                "a\" & sh evil.sh \".cl",
                "\n: ; sh .. evil.sh.cl",
            ] {
                let path = place.path(name);
                // Some of them are not valid file names on every system.
                let _ = fs::write(&path, RACY);
            }
            let sing = format!(": > {}", canary().display());
            place.put("macro.cl", &format!("#define S \"'; {sing}; '$({sing})`{sing}`\"\n{RACY}"));
            place.database_of_all(&["-DX='; sh evil.sh; '", "-DY=$(sh evil.sh)"]);
        },
        &[],
    ),
    tree(
        "quotes and braces in names",
        |place| {
            place.put("\"}],\"x\":[{\"\\.cl", RACY);
            place.put("%0A%00{{7*7}}${x}.cl", RACY);
            place.put("https:evil.cl", RACY);
        },
        &[],
    ),
];

/// A module whose debug information names a file elsewhere.
const LL: &str = "target triple = \"spir64-unknown-unknown\"
define spir_kernel void @\"racy\"(ptr addrspace(1) %a) !dbg !4 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !7
  %x = trunc i64 %id to i32, !dbg !7
  store i32 %x, ptr addrspace(1) %a, align 4, !dbg !7
  ret void, !dbg !7
}
declare spir_func i64 @_Z13get_global_idj(i32)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: \"x\", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: \"secret.h\", directory: \"FOLDER\")
!2 = !{i32 7, !\"Dwarf Version\", i32 4}
!3 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = distinct !DISubprogram(name: \"racy\", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 1, column: 1, scope: !4)
";
