#!/usr/bin/env python3
"""Regenerates the PTX of `examples/ptx/` and `tests/ptx/` from the kernels in `tests/ptx/kernels/`.

    tests/ptx/regenerate.py setup                 # install the compilers of the table below
    tests/ptx/regenerate.py all                   # every compiler that is there, the survey, the index
    tests/ptx/regenerate.py clang nvcc --kernel vector_add
    tests/ptx/regenerate.py check                 # compile again and compare with the committed files
    tests/ptx/regenerate.py survey index          # instructions.txt and README.md only
    tests/ptx/regenerate.py assemble              # every file by ptxas

Each kernel's file begins with comments, a statement and then lines with keys:

    launch   options for Lockstep; if left out, the size that the PTX requires
    defect   the difference made by the macro or constant DEFECT; if left out, there is no twin
    finding  the finding expected of the twin, if the markers do not tell it
    also     another finding of the same defect
    flaw     a finding of the kernel itself, with or without the defect
    expect   `unknown` if the kernel cannot be proved
    arch     the compute capabilities; 80 if left out
    skip     the compilers of CUDA that do not take the kernel
    only     the compilers of CUDA that alone take it
    options  a compiler and more options for it
    example  the compilers whose output goes to `examples/ptx/`

Markers `race`, `divergence` and `protocol` behind `//~` or `#~` name the source lines of the twin's
finding, `race` with the memory. Their PTX lines follow from `.loc`.

The compilers, each in a virtual environment of its own below `--environments`:

    clang    clang-19 on the PATH, no toolkit: kernels/device.h takes the place of its headers
    nvcc     the wheels of CUDA 13.5, and a host compiler on the PATH; with line information
    nvrtc    NVRTC 13.5 by ctypes; without line information
    nvrtc11  NVRTC 11.8 by ctypes, for compute_35; with line information
    triton   Triton 3.9.0, without torch
    cute     CuTe DSL 4.8.1
    numba    numba-cuda 0.30.4
    warp     Warp 1.19.0

No compiler needs a GPU. One that is missing is skipped with a message. Paths of the machine do not
remain in the output: `.file` names paths in this repository or in a compiler's package.
"""

import argparse
import collections
import ctypes
import glob
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KERNELS = HERE / "kernels"
EXAMPLES = ROOT / "examples" / "ptx"
EXAMPLE_LIMIT, TEST_LIMIT = 30 * 1024, 200 * 1024
# So many PTX lines are named for one source line.
SHOWN = 6

PACKAGES = {
    "cuda": [
        "nvidia-cuda-nvcc==13.5.37",
        "nvidia-nvvm==13.5.37",
        "nvidia-cuda-crt==13.5.37",
        "nvidia-cuda-runtime==13.5.37",
        "nvidia-cuda-cccl==13.3.5.0.6",
        "nvidia-cuda-nvrtc==13.5.37",
        "nvidia-cuda-nvrtc-cu11==11.8.89",
    ],
    "triton": ["triton==3.9.0", "numpy==2.4.6"],
    "cute": ["nvidia-cutlass-dsl==4.8.1"],
    "numba": ["numba-cuda[cu13]==0.30.4", "numba==0.68.1", "numpy==2.4.6"],
    "warp": ["warp-lang==1.19.0", "numpy==2.4.6"],
}


class Unavailable(Exception):
    """A compiler that is not on this machine."""


class Kernel:
    """A kernel's source and the comments at its beginning."""

    KEYS = ("launch", "defect", "arch", "finding", "also", "flaw", "skip", "example", "only", "options", "expect")

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self.compiler = path.parent.name if path.suffix == ".py" else None
        self.shown = path.relative_to(ROOT).as_posix()
        statement, notes, key = [], {}, None
        comment = "#" if path.suffix == ".py" else "//"
        for line in path.read_text().splitlines():
            if not line.startswith(comment):
                break
            text = line.removeprefix(comment).strip()
            start = re.match(r"(\w+): ?(.*)", text)
            if start and start.group(1) in self.KEYS:
                key = start.group(1)
                notes[key] = start.group(2)
            elif key:
                notes[key] += " " + text
            else:
                statement.append(text)
        self.statement = " ".join(statement)
        self.launch = notes.get("launch", "")
        self.defect = notes.get("defect")
        self.archs = notes.get("arch", "80").split()
        self.finding = notes.get("finding")
        self.also = notes.get("also")
        self.flaw = notes.get("flaw")
        self.skip = notes.get("skip", "").split()
        self.only = notes.get("only", "").split()
        self.options = notes.get("options", "").split()
        self.expect = notes.get("expect", "pass")
        self.examples = notes.get("example", "").split()
        self.marks = {
            number: mark.groups()
            for number, line in enumerate(path.read_text().splitlines(), 1)
            if (mark := re.search(r"(?://|#)~ (race|divergence|protocol)(?: (shared|global))?", line))
        }

    def options_of(self, compiler):
        return self.options[1:] if self.options[:1] == [compiler] else []

    def takes(self, compiler):
        if self.compiler:
            return self.compiler == compiler
        return compiler in CUDA and compiler not in self.skip and (not self.only or compiler in self.only)

    def variants(self, compiler):
        """The pairs of a compute capability and whether the defect is seeded."""
        newest = {"clang": 90, "nvrtc11": 0}.get(compiler, 1000)
        archs = self.archs[:1] + [arch for arch in self.archs[1:] if int(arch.rstrip("a")) <= newest]
        return list(itertools.product(archs, [False, True] if self.defect else [False]))

    def file(self, compiler, arch, defect):
        """The path of one result."""
        suffix = "" if arch == self.archs[0] else f"_sm{arch}"
        name = f"{self.name}{suffix}{'_defect' if defect else ''}.{compiler}.ptx"
        return (EXAMPLES if compiler in self.examples and not suffix else HERE) / name


def kernels():
    return [Kernel(path) for path in sorted([*KERNELS.glob("*.cu"), *KERNELS.glob("*/*.py")])]


# Compilers of CUDA C++: each takes a kernel, a compute capability, the defect, and line information,
# and returns PTX. `version` is what the file's header says.


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, **options)
    if result.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


class Clang:
    has_lines = True

    def __init__(self, environments):
        self.path = shutil.which("clang-19")
        if not self.path:
            raise Unavailable("clang-19 is not on the PATH")
        self.version = "Clang " + re.search(r"version ([\d.]+)", run([self.path, "--version"])).group(1)

    @staticmethod
    def target(arch):
        return f"sm_{arch}"

    def compile(self, kernel, arch, defect, lines):
        feature = "+ptx83"
        command = [self.path, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-O2", "-S", "-o", "-"]
        command += [f"--cuda-gpu-arch=sm_{arch}", "-Xclang", "-target-feature", "-Xclang", feature, "-std=c++17"]
        command += kernel.options_of("clang")
        command += ["-gline-directives-only"] * lines + ["-DDEFECT"] * defect + [kernel.shown]
        return run(command)


class Nvcc:
    has_lines = True

    def __init__(self, environments):
        self.root = cuda_root(environments)
        self.path = self.root / "bin" / "nvcc"
        if not self.path.exists():
            raise Unavailable("the wheel nvidia-cuda-nvcc is not there")
        self.version = "nvcc " + re.search(r"V([\d.]+)", run([str(self.path), "--version"])).group(1)

    @staticmethod
    def target(arch):
        return f"compute_{arch}"

    def compile(self, kernel, arch, defect, lines):
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder) / "result.ptx"
            command = [str(self.path), "-ptx", f"-arch=compute_{arch}", "-std=c++17", "-o", str(result)]
            command += kernel.options_of("nvcc")
            command += ["-lineinfo"] * lines + ["-DDEFECT"] * defect + [kernel.shown]
            run(command)
            return result.read_text()


class Nvrtc:
    has_lines = False
    library, major = "nvidia/cu13/lib/libnvrtc.so.13", "cu13"

    def __init__(self, environments):
        found = glob.glob(str(environments / "cuda/lib/python3*/site-packages" / self.library))
        if not found:
            raise Unavailable(f"{self.library} is not there")
        for builtins in glob.glob(os.path.dirname(found[0]) + "/libnvrtc-builtins.so*"):
            ctypes.CDLL(builtins, mode=ctypes.RTLD_GLOBAL)
        self.nvrtc = ctypes.CDLL(found[0])
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.version = f"NVRTC {major.value}.{minor.value}"

    @staticmethod
    def target(arch):
        return f"compute_{arch}"

    def compile(self, kernel, arch, defect, lines):
        nvrtc, program, size = self.nvrtc, ctypes.c_void_p(), ctypes.c_size_t()
        options = [f"--gpu-architecture=compute_{arch}", f"-I{KERNELS}", "--std=c++17"]
        options += ["-lineinfo"] * lines + ["-DDEFECT"] * defect
        options = [option.encode() for option in options]
        text, name = kernel.path.read_bytes(), kernel.shown.encode()
        nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, name, 0, None, None)
        failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
        kind = "ProgramLog" if failed else "PTX"
        getattr(nvrtc, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))
        result = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, f"nvrtcGet{kind}")(program, result)
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
        if failed:
            raise RuntimeError(f"{self.version} failed:\n{result.value.decode()}")
        return result.value.decode()


class Nvrtc11(Nvrtc):
    has_lines = True
    library = "nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2"

    @staticmethod
    def target(arch):
        return "compute_35"

    def compile(self, kernel, arch, defect, lines):
        return super().compile(kernel, "35", defect, lines)


def cuda_root(environments):
    found = glob.glob(str(environments / "cuda/lib/python3*/site-packages/nvidia/cu13"))
    if not found:
        raise Unavailable("the wheels of CUDA are not there")
    return Path(found[0])


# Compilers of Python: this script runs again in their environment, with one request as JSON, and
# prints the PTX after a mark, because compilers print messages of their own.

MARK = "=== result ==="


class Embedded:
    has_lines = True
    attempts = 1

    def __init__(self, environments):
        self.python = environments / self.name / "bin" / "python"
        if not self.python.exists():
            raise Unavailable(f"the environment {self.name} is not there")
        self.version = self.ask({"version": True})

    def target(self, arch):
        return f"sm_{arch}"

    def ask(self, request):
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {
                "HOME": folder,
                "TRITON_CACHE_DIR": folder,
                "TRITON_DEFAULT_FP_FUSION": "1",
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONHASHSEED": "0",
                "CUDA_VISIBLE_DEVICES": "",
            }
            request = json.dumps(request | {"folder": folder})
            command = [str(self.python), __file__, "inside", self.name, request]
            return json.loads(run(command, env=environment).split(MARK)[1])

    def compile(self, kernel, arch, defect, lines):
        return self.ask({"path": kernel.shown, "arch": arch, "defect": defect, "lines": lines})


class Triton(Embedded):
    name = "triton"
    # Triton orders some independent arrivals by addresses in the compiler.
    attempts = 8

    @staticmethod
    def inside(request):
        import triton
        from triton.backends.compiler import GPUTarget

        if "version" in request:
            return f"Triton {triton.__version__}"
        module = load(request["path"])
        function = getattr(module, Path(request["path"]).stem)
        constants = dict(module.CONSTANTS)
        if "DEFECT" in function.arg_names:
            constants["DEFECT"] = request["defect"]
        names = function.arg_names
        signature = {name: module.SIGNATURE.get(name, "constexpr") for name in names}
        aligned = {(names.index(name),): [["tt.divisibility", 16]] for name in module.ALIGNED}
        constants = {(names.index(name),): value for name, value in constants.items()}
        if hasattr(function, "is_gluon") and function.is_gluon():
            from triton.experimental.gluon._runtime import GluonASTSource as Source
        else:
            from triton.compiler import ASTSource as Source
        source = Source(function, signature, constants, aligned)
        target = GPUTarget("cuda", int(request["arch"]), 32)
        return triton.compile(source, target=target, options=getattr(module, "OPTIONS", {})).asm["ptx"]


class Cute(Embedded):
    name = "cute"

    def target(self, arch):
        return f"sm_{arch}a"

    @staticmethod
    def inside(request):
        from importlib.metadata import version

        if "version" in request:
            return f"CuTe DSL {version('nvidia-cutlass-dsl')}"
        os.environ.update(CUTE_DSL_KEEP_PTX="1", CUTE_DSL_ARCH=f"sm_{request['arch']}a")
        os.environ.update(CUTE_DSL_LINEINFO="1", CUTE_DSL_DUMP_DIR=request["folder"])
        return load(request["path"], request["defect"]).compiled().__ptx__


class Numba(Embedded):
    name = "numba"

    @staticmethod
    def inside(request):
        import numba_cuda
        from numba import cuda

        if "version" in request:
            return f"numba-cuda {numba_cuda.__version__}"
        module = load(request["path"], request["defect"])
        capability = divmod(int(request["arch"]), 10)
        function = getattr(module, Path(request["path"]).stem)
        return cuda.compile_ptx(function, module.SIGNATURE, cc=capability, lineinfo=request["lines"])[0]


class Warp(Embedded):
    name = "warp"
    has_lines = False

    @staticmethod
    def inside(request):
        import warp

        if "version" in request:
            return f"Warp {warp.__version__}"
        warp.config.kernel_cache_dir = request["folder"]
        warp.config.enable_backward = False
        warp.config.lineinfo = request["lines"]
        module = load(request["path"], request["defect"])
        folder = os.path.join(request["folder"], "result")
        warp.compile_aot_module(
            warp.get_module(module.__name__), arch=int(request["arch"]), module_dir=folder, use_ptx=True
        )
        return Path(glob.glob(folder + "/**/*.ptx", recursive=True)[0]).read_text()


def load(path, defect=False):
    """Imports a kernel's file as a module of its own name, in which DEFECT is defined.

    The code's file name is relative, because compilers print its folder in debugging information.
    """
    module = types.ModuleType(Path(path).stem)
    module.__file__ = path
    module.DEFECT = defect
    sys.modules[module.__name__] = module
    exec(compile(Path(path).read_text(), path, "exec"), module.__dict__)
    return module


CUDA = {"clang": Clang, "nvcc": Nvcc, "nvrtc": Nvrtc, "nvrtc11": Nvrtc11}
COMPILERS = CUDA | {"triton": Triton, "cute": Cute, "numba": Numba, "warp": Warp}


# Results.


def tidy(text):
    """PTX without the machine's paths and nvcc's digests of them, and with a newline at its end."""
    text = re.sub(r'^(\s*\.file\s+\d+\s+)"([^"]*)".*$', shown_file, text, flags=re.MULTILINE)
    text = text.replace(str(ROOT) + "/", "")
    text = re.sub(r"(_INTERNAL_)[0-9a-f]{8}(?=_)", r"\g<1>00000000", text)
    between = r"(?:,|\n\.b8 )"  # One line of bytes, or a line for each.
    internal = between.join(str(byte) for byte in b"_INTERNAL_")
    digest = rf"({internal})((?:{between}\d+){{8}})(?={between}95\b)"
    text = re.sub(digest, lambda found: found.group(1) + re.sub(r"\d+(?=,|\n|$)", "48", found.group(2)), text)
    return text.rstrip("\0\n") + "\n"


def shown_file(match):
    """A `.file` directive with a path in this repository or in a package, and no time or size."""
    path = os.path.normpath(match.group(2))
    package = re.search(r"site-packages/(.*)", path)
    kernel = re.search(r"tests/ptx/kernels/.*", path)
    if kernel:
        path = kernel.group(0)
    elif package:
        path = package.group(1)
    else:
        path = os.path.basename(path)
    return f'{match.group(1)}"{path}"'


def check_paths(path, text):
    for found in re.findall(r"[^\n]*(?:/tmp/|/root/|/home/|/work/|site-packages)[^\n]*", text):
        raise RuntimeError(f"{path.name} has a path of this machine: {found}")


# The instructions that a mark stands for.
MARKED = {
    "race": re.compile(
        r"(?:ld|st|atom|red)\.(?!param|volatile\.param)|(?:ldmatrix|stmatrix)\b|wgmma\.mma|tcgen05\.mma"
        r"|cp\.(?:reduce\.)?async\.(?!commit|wait|mbarrier|bulk\.(?:commit|wait))"
    ),
    "divergence": re.compile(r"(?:bar|barrier)\."),
    "protocol": re.compile(r"mbarrier\.|(?:bar|barrier)\.|cp\.async\.(?!commit)|tcgen05\.commit"),
}


def accesses(text, kernel):
    """For each marked source line, the lines of PTX with the instructions that the mark stands for."""
    files = dict(re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', text, flags=re.MULTILINE))
    locations = r"^\s*\.loc\s+(\d+ \d+ \d+)(?:,\s*function_name\s+\S+,\s*inlined_at\s+(\d+ \d+ \d+))?"
    # A place has one level; the next one is at another `.loc`.
    callers = {place: caller for place, caller in re.findall(locations, text, flags=re.MULTILINE) if caller}
    found, at = collections.defaultdict(list), set()
    for number, line in enumerate(text.splitlines(), 1):
        location = re.match(locations, line)
        if location:
            places = {location.group(1), location.group(2)} - {None}
            while (more := {callers[place] for place in places if place in callers} - places):
                places |= more
            rows = (place.split()[:2] for place in places)
            at = {int(row) for file, row in rows if files.get(file, "").endswith(kernel.path.name)}
            continue
        code = re.sub(r"^\s*(?:@!?%?\w+\s+)?", "", line)
        for row in at & kernel.marks.keys():
            kind, memory = kernel.marks[row]
            other = {"shared": r"\w+(?:\.volatile)?\.global", "global": r"\w+(?:\.volatile)?\.shared"}.get(memory, "$")
            if MARKED[kind].match(code) and not re.match(other, code):
                found[row].append(number)
    return dict(sorted(found.items()))


def without_lines(text):
    """The instructions of PTX, with their line numbers, for comparison."""
    kept = []
    for number, line in enumerate(re.split(r"^\s*\.section", text, flags=re.MULTILINE)[0].splitlines(), 1):
        code = re.sub(r"//.*", "", line).strip()
        if code and not re.match(r"\.(?:loc|file|target)\b|[{}]$|\$L__(?:tmp|func|info)\w*:", code):
            kept.append((number, re.sub(r"\$?_*L\w+|\$L_*\w+", "L", code)))
    return kept


def translate(places, lined, plain):
    """Line numbers of PTX with line information as those of the same without."""
    one, two = without_lines(lined), without_lines(plain)
    two = two[: len(one)]
    if [code for _, code in one][: len(two)] != [code for _, code in two]:
        return {}
    numbers = {a: b for (a, _), (b, _) in zip(one, two)}
    return {row: [numbers[n] for n in lines if n in numbers] for row, lines in places.items()}


KINDS = {"race": "a data race", "divergence": "barrier divergence", "protocol": "a wrong use of barriers"}


def finding(kernel, places):
    """The twin's expected finding, with the source lines and for each the first PTX lines."""
    if kernel.finding:
        return kernel.finding
    kinds = [KINDS[kind] for kind in dict.fromkeys(kind for kind, _ in kernel.marks.values())]
    rows = []
    for row in kernel.marks:
        lines = [str(line) for line in places.get(row, [])]
        shown = ", ".join(lines[:SHOWN]) + (", ..." if len(lines) > SHOWN else "")
        rows.append(f"line {row}" + (f" (PTX {shown})" if lines else ""))
    also = "".join(f"; {other}" for other in (kernel.also, kernel.flaw) if other)
    return f"{' and '.join(kinds)}, {kernel.path.name} {', '.join(rows)}{also}"


def launch_options(kernel, text):
    """The launch of the kernel's comments, or the one that the PTX requires."""
    required = re.search(r"\.reqntid (\d+)(?:, (\d+), (\d+))?", text)
    if kernel.launch or not required:
        return kernel.launch
    sizes = [size for size in required.groups() if size and (size != "1" or size == required.group(1))]
    return f"--local_size={sizes[0]}" if len(sizes) == 1 else f"--local_size=[{','.join(sizes)}]"


def header(kernel, compiler, arch, defect, places, text):
    lines = ["//xfail:NOT_ALL_VERIFIED" if defect or kernel.flaw else f"//{kernel.expect}", f"//{launch_options(kernel, text)}"]
    lines += [f"// {kernel.statement}"]
    if defect:
        lines += [f"// Defect: {kernel.defect}", f"// Expected: {finding(kernel, places)}."]
    elif kernel.flaw:
        lines += [f"// Expected: {kernel.flaw}."]
    elif kernel.expect == "pass":
        lines += ["// Expected: free of data races and barrier divergence."]
    else:
        lines += [f"// Expected: {kernel.expect}. {kernel.finding}."]
    lines += [f"// {compiler.version} for {compiler.target(arch)} from {kernel.shown}", ""]
    return "\n".join(lines)


def settled(kernel, compiler, arch, defect, path):
    """The text of one file; of several that the compiler prints at random, the one in the file."""
    before = path.read_text() if path.exists() else None
    texts = (result(kernel, compiler, arch, defect) for _ in range(getattr(compiler, "attempts", 1)))
    first = next(texts)
    return next((text for text in itertools.chain([first], texts) if before in (None, text)), first)


def result(kernel, compiler, arch, defect):
    """The text of one file."""
    text = tidy(compiler.compile(kernel, arch, defect, compiler.has_lines))
    places = {}
    if defect:
        lined = text if compiler.has_lines else tidy(compiler.compile(kernel, arch, defect, True))
        places = accesses(lined, kernel)
        if lined is not text:
            places = translate(places, lined, text)
        above = header(kernel, compiler, arch, defect, {}, text).count("\n")
        places = {row: [number + above for number in numbers] for row, numbers in places.items()}
    return header(kernel, compiler, arch, defect, places, text) + text


def generate(name, environments, only, compare):
    """Writes or compares the files of one compiler. Returns the number of problems."""
    try:
        compiler = COMPILERS[name](environments)
    except Unavailable as reason:
        print(f"{name}: skipped, {reason}")
        return 0
    written = problems = 0
    for kernel in kernels():
        if not kernel.takes(name) or (only and kernel.name not in only):
            continue
        for arch, defect in kernel.variants(name):
            path = kernel.file(name, arch, defect)
            try:
                text = settled(kernel, compiler, arch, defect, path)
                check_paths(path, text)
            except RuntimeError as error:
                print(f"{path.name}: {error}")
                problems += 1
                continue
            if len(text) > (EXAMPLE_LIMIT if path.parent == EXAMPLES else TEST_LIMIT):
                print(f"{path.name}: too large, {len(text)} bytes")
                problems += 1
            if compare:
                if not path.exists() or path.read_text() != text:
                    print(f"{path.name}: differs")
                    problems += 1
            else:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            written += 1
    print(f"{name}: {written} files, {compiler.version}")
    return problems


# The survey.


def statements(text):
    """The statements of PTX: instructions and directives, without comments and debug sections."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"^\s*\.(?:loc|file)\b[^\n]*", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*\.section[^{]*\{.*?\}", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\s*\.(?:version|target|address_size)\b([^\n]*)", "", text, flags=re.MULTILINE)
    statement = ""
    for part in re.split(r"([;{}])", text):
        if part == ";":
            yield statement.strip()
            statement = ""
        elif part in ("{", "}") and (is_label(statement) or re.search(r"\.(?:entry|func)\b", statement)):
            if not is_label(statement):
                yield statement.strip()
            statement = ""
        else:
            statement += part
    if not is_label(statement):
        yield statement.strip()


def is_label(text):
    """Whether the text is empty or has labels only."""
    return re.fullmatch(r"\s*(?:[$\w%]+\s*:(?!:)\s*)*", text) is not None


SPECIAL = (
    r"%(?:n?tid|n?ctaid|laneid|n?warpid|smid|gridid|clock\w*|globaltimer\w*|lanemask_\w+|n?cluster\w*"
    r"|is_explicit\w+|(?:dynamic|total|aggr)_smem_size|envreg\d+)"
)


def normalise(statement):
    """An instruction's opcode and the shape of its operands: r register, p predicate guard, i
    immediate, s symbol."""
    statement = re.sub(r"^(?:[$\w%]+\s*:(?!:)\s*)+", "", statement)
    guard = re.match(r"@!?[%\w]+\s+", statement)
    statement = statement[guard.end() :] if guard else statement
    opcode, _, operands = statement.partition(" ") if " " in statement else statement.partition("\t")
    opcode, operands = opcode.strip(), " ".join(operands.split())
    if "\t" in opcode:
        opcode, _, more = opcode.partition("\t")
        operands = more + " " + operands
    operands = re.sub(rf"({SPECIAL})(\.[xyzw])?", r"<\1\2>", operands)
    kept = re.split(r"(<[^>]*>)", operands)
    for index in range(0, len(kept), 2):
        part = re.sub(r"%\w+", "@", kept[index])
        part = re.sub(r"[$\w]*[A-Za-z_$][$\w]*(?:\.\w+)?", lambda m: number_or_symbol(m.group(0)), part)
        part = re.sub(r"(?<![\w@])-?\d+\b", "i", part)
        kept[index] = part.replace("@", "r")
    shape = "".join(kept).replace("<", "").replace(">", "")
    shape = re.sub(r"\{\s*(r(?:,\s*r){7,})\s*\}", lambda list: f"{{r times {list.group(1).count('r')}}}", shape)
    return opcode, ("@p " if guard else "") + shape


def number_or_symbol(word):
    return "i" if re.fullmatch(r"0[xXfFdD][0-9a-fA-F]+U?|\d+U?", word) else "s"


def larger_programs(environments):
    """PTX of the examples and benchmarks in CUDA by nvcc, by file: counted, not committed."""
    try:
        nvcc = Nvcc(environments)
    except Unavailable as reason:
        print(f"survey: without the larger programs, {reason}")
        return
    sources = [path for path in sorted(ROOT.glob("examples/**/*.cu")) if "_defect" not in path.name]
    for path in sources + sorted(ROOT.glob("benches/programs/*.cu")):
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder) / "result.ptx"
            command = [str(nvcc.path), "-ptx", "-arch=compute_90", "-std=c++17", "-w", "-o", str(result), str(path)]
            if subprocess.run(command, capture_output=True, cwd=ROOT).returncode:
                print(f"survey: nvcc refuses {path.name}")
            else:
                yield "larger", result.read_text()


def survey(environments):
    """Writes instructions.txt."""
    counts, shapes, directives = (collections.defaultdict(collections.Counter) for _ in range(3))
    files = collections.Counter()
    texts = ((path.name.split(".")[1], path.read_text()) for path in committed())
    for compiler, text in itertools.chain(texts, larger_programs(environments)):
        files[compiler] += 1
        for statement in statements(text):
            opcode, operands = normalise(statement)
            if opcode.startswith("."):
                words = re.match(r"(?:\.[\w:]+\s*(?:\d+\s+)?)+", statement)
                found = re.sub(r"\s+", " ", words.group(0) if words else opcode).strip()
                directives[re.sub(r" \d+", " i", found)][compiler] += 1
            else:
                counts[opcode][compiler] += 1
                shapes[opcode][operands] += 1
    columns = [name for name in [*COMPILERS, "larger"] if files[name]]
    lines = ["Opcodes in the PTX of examples/ptx/ and tests/ptx/, by compiler, and in that of nvcc for the CUDA"]
    lines += ["files of examples/ and benches/programs/ (larger). Written by regenerate.py survey.", ""]
    lines += table("files", columns, {"": files})
    lines += ["", f"{len(counts)} opcode forms", ""] + table("opcode", columns, counts)
    lines += ["", "Directives", ""] + table("directive", columns, directives)
    lines += ["", "Operands of each opcode: r register, i immediate, s symbol, label or register of inline assembly,"]
    lines += ["@p a guard", ""]
    for opcode in sorted(shapes):
        for shape, number in sorted(shapes[opcode].items(), key=lambda item: (-item[1], item[0])):
            lines.append(f"{number:7} {opcode} {shape}".rstrip())
    (HERE / "instructions.txt").write_text("\n".join(lines) + "\n")
    print(f"survey: {len(counts)} opcode forms in {sum(files.values())} files")


def table(title, columns, rows):
    lines = [f"{title:<60}{'total':>8}" + "".join(f"{column:>9}" for column in columns)]
    for name, counter in sorted(rows.items(), key=lambda row: (row[0].split(".")[0], -sum(row[1].values()), row[0])):
        total = sum(counter.values())
        lines.append(f"{name:<60}{total:>8}" + "".join(f"{counter[column] or '.':>9}" for column in columns))
    return lines


# The index.

FEATURES = {
    "named barriers": r"^(?:bar|barrier)\.(?:sync|arrive|red)\S*\s+(?:[1-9]|%)|^bar\.arrive",
    "barrier 0": r"^(?:bar|barrier)\.sync\S*\s+0\b",
    "mbarrier": r"^mbarrier\.",
    "cp.async": r"^cp\.async\.c[ag]\.",
    "bulk copies": r"^cp\.async\.bulk\.(?:shared|global)",
    "TMA": r"^cp\.async\.bulk\.tensor",
    "tensor maps": r"^tensormap\.",
    "mma": r"^mma\.",
    "ldmatrix": r"^(?:ldmatrix|stmatrix)\.",
    "wgmma": r"^wgmma\.",
    "tcgen05": r"^tcgen05\.",
    "clusters": r"^barrier\.cluster|^mapa|^(?:ld|st|atom|red)\S*shared::cluster",
    "shuffles": r"^shfl\.",
    "votes": r"^(?:vote|match|activemask|redux)\.",
    "elect": r"^elect\.",
    "setmaxnreg": r"^setmaxnreg",
    "griddepcontrol": r"^griddepcontrol",
    "fences": r"^(?:membar|fence\.(?:acq|sc|rel))",
    "proxy fences": r"^fence\.proxy",
    "atomics": r"^(?:atom|red)\.",
    "volatile": r"^(?:ld|st)\.volatile",
    "acquire/release": r"^(?:ld\.acquire|st\.release)",
    "generic addresses": r"^(?:ld|st|atom)\.(?:volatile\.)?(?:v\d\.)?[bfsu]\d",
    "local memory": r"^(?:ld|st)\.local",
    "calls": r"^call",
    "brx.idx": r"^brx",
    "predicated accesses": r"^@\S+\s+(?:ld|st|atom|red|cp)\.",
    "xor addresses": r"^xor\.b(?:32|64)",
    "dynamic shared memory": r"^\.extern \.shared",
    "byte parameters": r"^\.visible \.entry.*\.param \.align",
}


def features(text):
    """The features of PTX in a file, in the table's order."""
    found = set()
    for statement in statements(text):
        plain = " ".join(re.sub(r"^(?:[$\w%]+\s*:(?!:)\s*)*(?:@!?[%\w]+\s+)?", "", statement).split())
        guarded = " ".join(re.sub(r"^(?:[$\w%]+\s*:(?!:)\s*)*", "", statement).split())
        for name, pattern in FEATURES.items():
            if re.match(pattern, plain) or re.match(pattern, guarded):
                found.add(name)
    return [name for name in FEATURES if name in found]


INTRODUCTION = """# PTX that compilers print of our own kernels

`regenerate.py` writes these files and those of [`examples/ptx/`](../../examples/ptx/) from
[`kernels/`](kernels/); this table is its output, too. `instructions.txt` counts the opcodes by
compiler. [`idioms.md`](idioms.md) tells how compilers print barriers, roles and addresses.

The first line of a file is the expectation (`//pass`, `//unknown` or `//xfail`), the second one the
launch. The last line before the compiler's own output names the compiler and the source.

A file without a finding is right: sizes of arrays are large enough, and indices computed from the
launch do not wrap. A twin (`_defect`) has one seeded defect. Its source lines are those of the
kernel's file, and its PTX lines those of the instructions that belong to them. Unrolled loops have
many; the first ones are named.
"""


def index():
    """Writes README.md."""
    lines = [INTRODUCTION]
    for kernel in kernels():
        source = kernel.path.relative_to(HERE).as_posix()
        lines += [f"## {kernel.name}", "", f"[`{kernel.path.name}`]({source}): {kernel.statement}"]
        if kernel.defect:
            lines += [f"Defect: {kernel.defect}"]
        lines += ["", "| file | compiler | finding | features |", "|---|---|---|---|"]
        for compiler in COMPILERS:
            if not kernel.takes(compiler):
                continue
            for arch, defect in kernel.variants(compiler):
                path = kernel.file(compiler, arch, defect)
                if path.exists():
                    lines.append(row(path))
        lines.append("")
    (HERE / "README.md").write_text("\n".join(lines))


def row(path):
    """A file's row in the table."""
    text = path.read_text()
    above = [line.removeprefix("// ") for line in itertools.takewhile(lambda l: l.startswith("//"), text.splitlines())]
    finding = next((line.removeprefix("Expected: ").rstrip(".") for line in above if line.startswith("Expected: ")), "")
    compiler = next(line for line in above if " from tests/ptx/" in line).split(" from ")[0]
    link = os.path.relpath(path, HERE)
    right = "right" if finding.startswith("free") else finding
    return f"| [`{path.name}`]({link}) | {compiler} | {right} | {', '.join(features(text))} |"


def assemble(environments):
    """Assembles every file by ptxas, which refuses what is no PTX. Returns the number of problems."""
    try:
        ptxas = cuda_root(environments) / "bin" / "ptxas"
    except Unavailable as reason:
        print(f"assemble: skipped, {reason}")
        return 0
    problems = 0
    for path in committed():
        arch = re.search(r"\.target (sm_\w+)", path.read_text()).group(1)
        if arch == "sm_35":  # ptxas 13 knows compute capability 7.5 and later.
            continue
        command = [str(ptxas), "-arch", arch, "-o", os.devnull, str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"{path.name}: {done.stdout}{done.stderr}")
            problems += 1
    print(f"assemble: {problems} problems")
    return problems


def committed():
    return sorted([*EXAMPLES.glob("*.ptx"), *HERE.glob("*.ptx")])


def stale():
    """Tells files that no kernel has any more. Returns their number."""
    made = {
        kernel.file(compiler, arch, defect)
        for kernel in kernels()
        for compiler in COMPILERS
        if kernel.takes(compiler)
        for arch, defect in kernel.variants(compiler)
    }
    left = [path for path in committed() if path not in made]
    for path in left:
        print(f"{path.name}: no kernel has it")
    return len(left)


def setup(environments):
    """Creates the virtual environments."""
    for name, packages in PACKAGES.items():
        folder = environments / name
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        done = subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", *packages])
        print(f"{name}: {'failed' if done.returncode else 'installed'}")


STEPS = ["all", "check", "survey", "index", "assemble", "setup"]


def main():
    if sys.argv[1:2] == ["inside"]:
        answer = COMPILERS[sys.argv[2]].inside(json.loads(sys.argv[3]))
        print(MARK + json.dumps(answer) + MARK)
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="+", choices=[*COMPILERS, *STEPS])
    parser.add_argument("--environments", type=Path, default=ROOT / "target" / "ptx-compilers")
    parser.add_argument("--kernel", action="append", help="only this kernel")
    options = parser.parse_args()
    environments = options.environments.absolute()
    problems = 0
    for step in options.steps:
        if step == "setup":
            setup(environments)
        elif step == "assemble":
            problems += assemble(environments)
        elif step in ("all", "check"):
            for name in COMPILERS:
                problems += generate(name, environments, options.kernel, step == "check")
            problems += stale()
        elif step in COMPILERS:
            problems += generate(step, environments, options.kernel, False)
        if step in ("all", "survey"):
            survey(environments)
        if step in ("all", "index"):
            index()
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
