#!/usr/bin/env python3
"""Reruns Lockstep's witnesses of CUDA kernels on an NVIDIA GPU.

    rerun.py generate DIR --lockstep ./target/release/lockstep [--twins] [--wide] KERNEL.cu...
    rerun.py compile DIR [--jobs 2]
    rerun.py run DIR [--jobs 16] [--seconds 500]
    rerun.py table DIR [--controls DIR]

`generate` needs no GPU. It verifies each kernel (files of tests/races/ are run instead), and writes
a program for each file into DIR that launches the kernel exactly as the confirmed findings say:
sizes, arguments, contents of arrays. `--twins` writes launches of verified kernels instead, and
`--controls` puts the accesses of a defective kernel into both orders in its race-free twin.
`--wide` adds a launch for `run --stress` to each witness: 128 blocks if their number is open, and
contents that show a stale read.

`compile` needs nvcc, but no GPU. `run` compiles what was not compiled, launches the programs and
writes DIR/results.json and DIR/logs/. It needs compute-sanitizer and a GPU.

`table` prints the counts, and the launches that went another way than expected.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {
    "char": 1,
    "uchar": 1,
    "short": 2,
    "ushort": 2,
    "half": 2,
    "int": 4,
    "uint": 4,
    "float": 4,
    "long": 8,
    "ulong": 8,
    "double": 8,
}
LARGEST = 1 << 30
MARKER = 0x5EED0000


# ---- generate -----------------------------------------------------------------------------------


def header(path):
    """The expected verdict and the flags of a test kernel."""
    lines = open(path).read().split("\n")
    flags = lines[1].lstrip("/").strip() if len(lines) > 1 and lines[1].startswith("//") else ""
    if flags.startswith("run:"):
        flags = flags[4:]
    return lines[0].lstrip("/ ").strip(), (
        shlex.split(flags) if flags.startswith(("-", " -")) else []
    )


def lockstep(binary, arguments, limit=90):
    try:
        done = subprocess.run([binary] + arguments, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {}
    return json.loads(done.stdout) if done.stdout.startswith("{") else {}


def kept_flags(flags):
    """The flags that say how the source is read, for Lockstep and for nvcc."""
    kept, index = [], 0
    while index < len(flags):
        flag = flags[index]
        if flag in ("-D", "-I", "--clang-arg", "-x"):
            kept += flags[index : index + 2]
            index += 1
        elif flag.startswith(
            (
                "-D",
                "-I",
                "--clang-arg",
                "--partial-warps",
                "--warp-sync",
                "--kernel-arrays",
                "--kernel-args",
            )
        ):
            kept.append(flag)
        index += 1
    return kept


def run_flags(flags):
    """The flags of a header that a run needs: sizes, with open ones set to small numbers."""
    kept = []
    for flag in flags:
        if flag.startswith(("--no-", "--check", "--assume", "--timeout", "--without", "--math")):
            continue
        kept.append(
            flag.replace("gridDim=*", "gridDim=2")
            .replace("grid-dim=*", "grid-dim=2")
            .replace("groups=*", "groups=2")
            .replace("[*", "[2")
            .replace("*", "64")
        )
    return kept


def pattern(text, element):
    width = SIZES[element]
    if element in ("float", "double", "half"):
        code = {2: "e", 4: "f", 8: "d"}[width]
        return int.from_bytes(struct.pack("<" + code, float(text)), "little")
    return int(text, 0) & ((1 << 8 * width) - 1)


def array(value, touched, given=None):
    """The C++ initialiser of an array's contents, from the text of `--arg`. `given` is its size in
    bytes, if the flags fix it."""
    kind, element, seed, patterns, indices, count = "zeros", "int", 0, [], [], None
    found = re.fullmatch(
        r"(zeros|iota|random)(?:@(\d+))?(?::(\w+)?)?(?:\*(\d+))?(, of any size)?", value
    )
    if re.fullmatch(r"\d+", value):
        kind, patterns = "same", [int(value)]
    elif found:
        kind, seed, element = found[1], int(found[2] or 0), found[3] or "int"
        count = int(found[4]) if found[4] else None
    elif value.startswith("among"):
        found = re.fullmatch(r"among(?:@(\d+))?:(\w+)\[(.*)\]", value)
        kind, seed, element = "among", int(found[1] or 0), found[2]
        patterns = [pattern(n.strip(), element) for n in found[3].split(",")]
    elif re.fullmatch(r"\w+\{.*\}", value):
        kind, element = "sparse", value.split("{")[0]
        for part in value[value.index("{") + 1 : -1].split(","):
            if part.strip():
                index, number = part.split(":")
                indices.append(int(index))
                patterns.append(pattern(number.strip(), element))
    elif re.fullmatch(r"\w*\[.*\]", value):
        kind, element = "list", value.split("[")[0] or "int"
        patterns = [
            pattern(n.strip(), element) for n in value[value.index("[") + 1 : -1].split(",")
        ]
        count = len(patterns)
    else:
        raise ValueError(f"contents {value}")
    width = SIZES[element]
    size = given or (count * width if count is not None else touched)
    if size > LARGEST:
        raise ValueError(f"an array of {size} bytes")
    is_float = str(element in ("float", "double", "half")).lower()
    numbers = ",".join(f"{n}ull" for n in patterns)
    places = ",".join(f"{n}ull" for n in indices)
    exact = str(bool(given) or count is not None).lower()
    return f'{{"{kind}", {width}, {is_float}, {seed}ull, {{{numbers}}}, {{{places}}}, {size}ull, {exact}}}'


def linear(position, size):
    position, size = list(position) + [0, 0], list(size) + [1, 1]
    return position[0] + size[0] * (position[1] + size[1] * position[2])


def launch_code(number, run, kernel, finding, source, flags):
    """The C++ function that describes one launch, from the document of a run."""
    block, grid = run["launch"]["block"], run["launch"]["grid"]
    if linear([b - 1 for b in block], block) >= 1024 or len(grid) > 3:
        raise ValueError("a block of more than 1024 threads")
    threads = 1
    for size in block + grid:
        threads *= size
    if threads > 1 << 22:
        raise ValueError(f"{threads} threads")
    touched = {a["name"]: a["bytes"] for a in run["arrays"]}
    lines = [f"static hardware::Launch launch_{number}()", "{", "    hardware::Launch l;"]
    lines.append(f"    l.block = dim3({', '.join(map(str, block))});")
    lines.append(f"    l.grid = dim3({', '.join(map(str, grid))});")
    if re.search(r"this_grid|grid_group|this_multi_grid", source):
        lines.append("    l.cooperative = true;")
    if "extern __shared__" not in source:
        lines.append("    l.shared = 0;")
    sizes = [f.split("=", 1)[1].split(",")[1:] for f in flags if f.startswith("--kernel-arrays=")]
    sizes = [None if s == "*" else int(s) for s in sizes[0]] if sizes else []
    for argument in run["arguments"]:
        name, value = argument["name"], argument["value"]
        if "." in name:
            raise ValueError("a pointer in a struct or variable")
        number = re.fullmatch(r"-?(\d+(\.\d+)?(e-?\d+)?|0x[0-9a-f]+|inf|nan)", value, re.I)
        if number and name not in touched:
            lines.append(f'    l.scalar("{name}", "{value}");')
            continue
        given = sizes.pop(0) if sizes else None
        if name in touched or re.search(r"zeros|iota|random|among|[\[{]", value):
            lines.append(f'    l.array("{name}", {array(value, touched.get(name, 0), given)});')
        else:
            raise ValueError(f"argument {name} = {value}")
    for who, access in enumerate(finding.get("accesses", [])[:2]):
        loops = access.get("loops") or []
        visit = loops[0]["iteration"] if len(loops) == 1 else 0
        at = linear(access["block"], grid), linear(access["thread"], block), visit
        lines.append(f"    l.site[{who}] = {{{at[0]}u, {at[1]}u, {at[2]}u}};")
    lines.append(f"    l.run = hardware::runner({kernel});")
    return "\n".join(lines + ["    return l;", "}"])


DECLARES = re.compile(
    r"(const\s+)?(unsigned|int|float|double|auto|bool|char|short|long|size_t|\w+_t|\w+[ *&]+\w+)\b[^=;(]*="
)


def instrumented(text, sites):
    """The source with calls around the lines of accesses. `sites` are (line, column, finding, who,
    access). Returns the text and the sites that could not be instrumented."""
    lines = text.split("\n")
    failed, by_line = [], collections.defaultdict(list)
    for site in sites:
        by_line[site[0]].append(site)
    for number, here in by_line.items():
        line = lines[number - 1]
        code = line.split("//")[0].rstrip()
        body = code.strip()
        previous = next(
            (
                p.split("//")[0].strip()
                for p in reversed(lines[: number - 1])
                if p.split("//")[0].strip()
            ),
            "",
        )
        before = " ".join(f"ORDER_BEFORE({f}, {w});" for _, _, f, w, _ in here)
        after = " ".join(f"ORDER_AFTER({f}, {w});" for _, _, f, w, _ in here)
        whole = body.endswith(";") and body.count("(") == body.count(")")
        keyword = re.match(
            r"(if|for|while|return|do|else|switch|case|break|continue|__shared__|\})", body
        )
        starts = previous.endswith((";", "{", "}", ":"))
        if whole and not keyword and starts:
            lines[number - 1] = f"{before} {code} {after}"
        elif (
            whole
            and not keyword
            and not DECLARES.match(body)
            and previous.endswith((")", "else", "do"))
        ):
            lines[number - 1] = f"{{ {before} {code} {after} }}"
        elif all(a == "read" for _, _, _, _, a in here) and len({c for _, c, _, _, _ in here}) == 1:
            start = here[0][1] - 1
            found = re.match(
                r"\*?\w+(\[[^\[\]]*(\[[^\[\]]*\])?[^\[\]]*\]|\.\w+|->\w+)*", code[start:]
            )
            if not found or not found[0]:
                failed += here
                continue
            value = found[0]
            for _, _, f, w, _ in here:
                value = f"ORDER_READ({f}, {w}, {value})"
            lines[number - 1] = code[:start] + value + code[start + len(found[0]) :]
        else:
            failed += here
    return "\n".join(lines), failed


def twin_lines(path, twin):
    """For each line of a defective kernel, the only line of its twin with the same code."""

    def code(file):
        return [line.split("//")[0].strip() for line in open(file).read().split("\n")]

    twins = collections.defaultdict(list)
    for number, line in enumerate(code(twin), 1):
        twins[line].append(number)
    lines = code(path)
    return {
        number: twins[line][0]
        for number, line in enumerate(lines, 1)
        if line and lines.count(line) == 1 and len(twins[line]) == 1
    }


def findings_of(binary, path, flags, name):
    """(kernel, finding, arguments of the run) of every confirmed finding."""
    if "tests/races" in path:
        document = lockstep(binary, ["run", "--format", "json", path] + flags)
        for kernel in document.get("kernels", []):
            seen = set()
            for event in kernel.get("events", []):
                if event["severity"] != "error" or event.get("block") is None:
                    continue
                other = event.get("other")
                key = (event["kind"], event["line"], other and other["line"])
                if key in seen:
                    continue
                seen.add(key)
                accesses = [dict(event, loops=None)] + ([dict(other, loops=None)] if other else [])
                scope = None
                if other:
                    scope = "intra-group" if event["block"] == other["block"] else "inter-group"
                finding = {
                    "code": "",
                    "kind": event["kind"],
                    "subkind": event["message"].split(" ")[0],
                    "scope": scope,
                    "array": event.get("array"),
                    "accesses": accesses,
                }
                yield kernel, finding, flags
        return
    limit = [] if any("timeout" in f for f in flags) else ["--timeout=20"]
    document = lockstep(binary, ["verify", "--format", "json", path] + flags + limit)
    for kernel in document.get("kernels", []):
        for finding in kernel.get("findings", []):
            if finding["confirmed"] and finding.get("witness"):
                yield kernel, finding, kept_flags(flags) + finding["witness"]


def twin_launches(binary, path, flags):
    """Launches of a verified kernel: the default arguments, and counting contents."""
    if "tests/races" not in path:
        limit = [] if any("timeout" in f for f in flags) else ["--timeout=20"]
        document = lockstep(binary, ["verify", "--format", "json", path] + flags + limit)
        if any(k["verdict"] != "verified" for k in document.get("kernels", [])) or not document.get(
            "kernels"
        ):
            return
    flags = run_flags(flags)
    if not re.search(r"gridDim|grid-dim|groups", " ".join(flags)):
        flags += ["--gridDim=2"]
    document = lockstep(binary, ["run", "--format", "json", path] + flags)
    for kernel in document.get("kernels", []):
        yield kernel, {"kind": "none", "accesses": []}, None, kernel
        counting = []
        for argument in kernel["arguments"]:
            if argument["chosen"] and argument["value"].startswith("zeros"):
                for element in ("int", "uint", "float"):
                    trial = flags + counting + [f"--arg={argument['name']}=iota:{element}"]
                    if lockstep(
                        binary,
                        ["run", "--format", "json", path, "--kernel", kernel["name"]] + trial,
                    ).get("kernels"):
                        counting.append(f"--arg={argument['name']}=iota:{element}")
                        break
        if counting:
            again = lockstep(
                binary,
                ["run", "--format", "json", path, "--kernel", kernel["name"]]
                + flags
                + counting,
            )
            for other in again.get("kernels", []):
                yield kernel, {"kind": "none", "accesses": []}, None, other


def wide_run(binary, path, kernel, finding, arguments, flags):
    """A run of more blocks. The racing array holds a number that no kernel computes, other arrays
    count if they are const, or else hold zeros."""
    sizes = [a for a in arguments if a.startswith(("--local-size", "--num-groups"))]
    if not re.search(r"gridDim|grid-dim|groups", " ".join(flags)):
        sizes = [s for s in sizes if "groups" not in s] + ["--num-groups=128"]
    command = ["run", "--format", "json", path, "--kernel", kernel["name"]]
    document = lockstep(binary, command + kept_flags(flags) + sizes)
    run = next(iter(document.get("kernels", [])), None)
    if run is None or run["outcome"] not in ("ran", "defect"):
        return None
    source = open(path).read()
    atomic = any(a["access"] == "atomic" for a in finding["accesses"])
    for argument in run["arguments"]:
        name = argument["name"]
        if name == finding.get("array") and not atomic:
            argument["value"] = str(MARKER)
        elif re.search(r"\bconst \w+ ?\*(__restrict__)? ?" + name + r"\b", source):
            argument["value"] = "iota:int"
    return run


def generate(options):
    os.makedirs(options.dir, exist_ok=True)
    shutil.copy(os.path.join(HERE, "harness.h"), options.dir)
    os.makedirs(os.path.join(options.dir, "src"), exist_ok=True)
    manifest, skipped = [], []
    for path in options.kernels:
        verdict, flags = header(path)
        name = re.sub(r"\W", "_", os.path.splitext(path)[0])
        source = open(path).read()
        shown = path
        if options.controls:
            shown = re.sub(r"_defect\w*(?=\.cu)", "", path)
            if shown == path or not os.path.exists(shown):
                continue
            source, moved = open(shown).read(), twin_lines(path, shown)
        launches, codes, sites, problem = [], [], [], None
        if options.twins:
            found = twin_launches(options.lockstep, path, flags)
        else:
            found = (
                (k, f, a, None) for k, f, a in findings_of(options.lockstep, path, flags, name)
            )
        for kernel, finding, arguments, run in found:
            if len(launches) >= 4:
                break
            if run is None:
                document = lockstep(
                    options.lockstep,
                    ["run", "--format", "json", path, "--kernel", kernel["name"]] + arguments,
                )
                run = next(iter(document.get("kernels", [])), None)
            record = {
                "file": path,
                "kernel": kernel["name"],
                "finding": finding,
                "arguments": arguments,
            }
            try:
                if run is None:
                    raise ValueError("the run failed")
                if options.twins and (
                    run["outcome"] != "ran"
                    or run["unsure"]
                    or any(e["severity"] == "error" for e in run["events"])
                ):
                    raise ValueError(f"run: {run['outcome']}")
                if options.controls and (
                    finding["kind"] != "race"
                    or len(finding["accesses"]) < 2
                    or any(a["file"] != path or a["line"] not in moved for a in finding["accesses"])
                ):
                    raise ValueError("no such lines in the twin")
                code = launch_code(len(launches), run, kernel["name"], finding, source, flags)
            except ValueError as error:
                skipped.append(dict(record, why=str(error)))
                continue
            number = len(launches)
            codes.append(code)
            for who, access in enumerate(finding["accesses"][:2]):
                if (
                    finding["kind"] == "race"
                    and len(finding["accesses"]) > 1
                    and access["file"] == path
                ):
                    line = moved[access["line"]] if options.controls else access["line"]
                    sites.append((line, access["column"], number, who, access["access"]))
            record["number"] = number
            record["instrumented"] = (
                finding["kind"] == "race"
                and len(finding["accesses"]) > 1
                and all(
                    a["file"] == path and len(a.get("loops") or []) <= 1
                    for a in finding["accesses"]
                )
            )
            launches.append(record)
            if options.wide:
                run = wide_run(options.lockstep, shown, kernel, finding, arguments, flags)
                if run is None:
                    print("no wide run", path)
                    continue
                number += 1
                codes.append(launch_code(number, run, kernel["name"], finding, source, flags))
                launches.append(dict(record, number=number, wide=True, instrumented=False))
        if not launches:
            continue
        text, failed = instrumented(source, sites)
        for record in launches:
            if any(f == record["number"] for _, _, f, _, _ in failed):
                record["instrumented"] = False
        base = os.path.basename(shown)
        os.makedirs(os.path.join(options.dir, "src", name), exist_ok=True)
        open(os.path.join(options.dir, "src", name, base), "w").write(source)
        open(os.path.join(options.dir, "src", name, "orders_" + base), "w").write(text)
        names = re.findall(
            r"^(?:static\s+)?(?:__device__|__managed__)(?:\s+(?:__managed__|__device__|static|volatile"
            r"|unsigned|signed))*\s+[\w:<>, ]+?[ *]+(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=.*|\{.*)?;",
            source,
            re.M,
        )
        program = [
            '#include "harness.h"',
            "#include <cassert>",
            "#define __assert(condition) assert(condition)",
            "#define main main_of_the_kernel",
            "#ifdef ORDERS",
            f'#include "src/{name}/orders_{base}"',
            "#else",
            f'#include "src/{name}/{base}"',
            "#endif",
            "#undef main",
            "",
        ] + codes
        program += ["", "int main(int count, char **arguments)", "{", "#ifndef NO_VARIABLES"]
        program += [f"    hardware::variable({n});" for n in names]
        program += [
            "#endif",
            "    std::vector<hardware::Launch> launches = {"
            + ", ".join(f"launch_{n}()" for n in range(len(launches)))
            + "};",
            "    return hardware::run_all(launches, count, arguments);",
            "}",
            "",
        ]
        open(os.path.join(options.dir, name + ".cu"), "w").write("\n".join(program))
        manifest.append(
            {
                "name": name,
                "file": shown,
                "launches": launches,
                "macros": [f for f in kept_flags(flags) if f.startswith("-D")],
            }
        )
        print(name, len(launches), flush=True)
    json.dump(
        {
            "twins": options.twins,
            "controls": options.controls,
            "programs": manifest,
            "skipped": skipped,
        },
        open(os.path.join(options.dir, "manifest.json"), "w"),
        indent=1,
    )
    print(
        len(manifest),
        "programs,",
        sum(len(p["launches"]) for p in manifest),
        "launches,",
        len(skipped),
        "skipped",
    )


# ---- run ----------------------------------------------------------------------------------------


def execute(directory, log, command, limit):
    """Runs a command, keeps its output in a log, and returns (status, output)."""
    try:
        child = subprocess.Popen(
            command,
            cwd=directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return "missing", str(error)
    try:
        output, _ = child.communicate(timeout=limit)
        status = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, _ = child.communicate()
        status = "timeout"
    with open(os.path.join(directory, "logs", log), "w") as file:
        file.write("$ " + " ".join(command) + "\n" + output[:200000] + f"\nstatus {status}\n")
    return status, output


def compile_one(options, program, variant):
    name = program["name"]
    if os.path.exists(os.path.join(options.dir, f"bin/{name}.{variant}")):
        return True
    more = {"opt": ["-lineinfo"], "orders": ["-lineinfo", "-DORDERS"], "debug": ["-G"]}[variant]
    command = (
        shlex.split(options.nvcc)
        + [
            "-arch=" + options.arch,
            "-std=c++17",
            "-w",
            "--extended-lambda",
            "--expt-relaxed-constexpr",
            "-I.",
        ]
        + more
        + program["macros"]
    )
    output = ["-o", f"bin/{name}.{variant}", name + ".cu"]
    status, _ = execute(options.dir, f"{name}.{variant}.nvcc", command + output, 120)
    if status != 0:
        status, _ = execute(
            options.dir, f"{name}.{variant}.nvcc", command + ["-DNO_VARIABLES"] + output, 120
        )
    return status == 0


SANITIZER = ["compute-sanitizer", "--print-limit", "100"]


def tools_of(launch, twins):
    """The tools that may show a finding."""
    if twins:
        return ["racecheck", "memcheck", "synccheck"]
    kind = launch["finding"]["kind"]
    if kind == "race":
        return ["racecheck"]
    if kind in (
        "barrier-divergence",
        "warp-divergence",
        "lane-not-in-mask",
        "inactive-source",
        "group-operation-divergence",
    ):
        return ["synccheck"]
    if kind == "uninitialised-read":
        return ["initcheck"]
    if kind == "named-barrier":
        return []
    return ["memcheck"]


def sanitize(options, name, variant, tool, which):
    command = list(SANITIZER) + ["--tool", tool]
    if tool == "memcheck":
        command += ["--padding", "512"]
    if tool == "racecheck":
        command += ["--racecheck-report", "all"]
    return execute(
        options.dir,
        f"{name}.{which}.{variant}.{tool}",
        command + [f"bin/{name}.{variant}", "once", str(which)],
        options.limit,
    )


def work(options, program, twins):
    name = program["name"]
    result = {"name": name, "compiled": compile_one(options, program, "opt"), "launches": []}
    if not result["compiled"] or time.time() > options.end:
        return result
    if twins:
        plain = execute(
            options.dir,
            f"{name}.all.plain",
            [f"bin/{name}.opt", "plain", "all", "20"],
            options.limit,
        )
        result["plain"] = [plain[0], outcomes(plain[1])]
        for tool in tools_of(None, True):
            status, output = sanitize(options, name, "opt", tool, "all")
            result[tool] = [status, reports(output), outcomes(output)]
        return result
    for launch in program["launches"]:
        launch["instrumented"] &= launch["finding"]["kind"] == "race"
    if options.stress:
        for launch in program["launches"]:
            number = launch["number"]
            done = execute(
                options.dir,
                f"{name}.{number}.stress",
                [f"bin/{name}.opt", "stress", str(number), str(options.stress)],
                options.limit,
            )
            result["launches"].append({"number": number, "stress": [done[0], outcomes(done[1])]})
        return result
    orders = any(l["instrumented"] for l in program["launches"]) and compile_one(
        options, program, "orders"
    )
    debug = None
    for launch in program["launches"]:
        if launch.get("wide"):
            continue
        number = launch["number"]
        entry = {"number": number}
        if orders and launch["instrumented"]:
            done = execute(
                options.dir,
                f"{name}.{number}.orders",
                [f"bin/{name}.orders", "orders", str(number)],
                options.limit,
            )
            entry["orders"] = [done[0], outcomes(done[1])]
        if not options.controls:
            plain = execute(
                options.dir,
                f"{name}.{number}.plain",
                [f"bin/{name}.opt", "plain", str(number), "60"],
                options.limit,
            )
            entry["plain"] = [plain[0], outcomes(plain[1])]
        for tool in [] if options.controls else tools_of(launch, False):
            if launch["finding"].get("scope") == "inter-group" and tool == "racecheck":
                continue
            status, output = sanitize(options, name, "opt", tool, number)
            entry[tool] = [status, reports(output)]
            if (
                not options.no_debug
                and not seen_by(launch, entry)
                and time.time() < options.end - 60
            ):
                if debug is None:
                    debug = compile_one(options, program, "debug")
                if debug:
                    status, output = sanitize(options, name, "debug", tool, number)
                    entry[tool + " -G"] = [status, reports(output)]
        result["launches"].append(entry)
    return result


def seen_by(launch, entry):
    """The observations that show a finding."""
    finding = launch["finding"]
    lines = {a["line"] for a in finding["accesses"][:2]}
    seen = []
    for tool in ("racecheck", "memcheck", "synccheck", "initcheck"):
        for variant in (tool, tool + " -G"):
            for text, at in entry.get(variant, (0, []))[1]:
                if lines <= set(at) or (tool == "synccheck" and at):
                    seen.append(variant)
                    break
    done = entry.get("orders", (0, []))[1]
    found = re.search(r"orders 1 1 differ (\d) visits (\d+) (\d+)", done[-1]) if done else None
    if found:
        sure = all(
            visits == "1" or len(access.get("loops") or []) == 1
            for access, visits in zip(finding["accesses"], found.groups()[1:])
        )
        seen.append(
            ("both orders" if sure else "perhaps both orders")
            + (", results differ" if found[1] == "1" else "")
        )
    done = entry.get("stress", (0, []))[1]
    found = re.search(r"stress launches (\d+) other results (\d+)", done[-1]) if done else None
    if found and int(found[2]):
        seen.append(
            "other results under stress"
            if entry.get("twin_is_steady")
            else "perhaps other results under stress"
        )
    done = entry.get("plain", (0, []))[1]
    if done and finding["kind"] != "race" and ("hang" in done[-1] or "error" in done[-1]):
        seen.append(done[-1])
    return seen


def outcomes(output):
    lines = output.split("\n")
    return [
        line.removeprefix("outcome ")
        for line in lines
        if line.startswith(("outcome", "unsupported"))
    ]


def reports(output):
    """The reports of compute-sanitizer: (first line, lines of the source), without repetitions."""
    found, current = [], None
    for line in output.split("\n"):
        if not line.startswith("========="):
            continue
        text = line[9:].strip()
        if re.match(
            r"(Error|Warning|Info)\b.*(Race|hazard)|Invalid|Barrier error|Divergent|Misaligned|Program hit"
            r"|Error: |Warning: |Uninitialized|Stack overflow|Target ended|Internal",
            text,
        ) and not text.startswith("ERROR SUMMARY"):
            current = [re.sub(r"0x[0-9a-f]+|\(\d+,\d+,\d+\)|\d+ hazards", "_", text), []]
            found.append(current)
        if current is not None:
            if not text:
                current = None
            elif not text.startswith(("Host Frame", "Saved host")):
                current[1] += [int(n) for n in re.findall(r"in (?:\S*/)?[\w.-]+\.cu:(\d+)", text)]
    unique = {json.dumps([r[0], sorted(set(r[1]))]): r for r in found}
    return [json.loads(key) for key in list(unique)[:40]]


def is_instrumented(program):
    return any(l["instrumented"] and l["finding"]["kind"] == "race" for l in program["launches"])


def compile_all(options):
    manifest = json.load(open(os.path.join(options.dir, "manifest.json")))
    for folder in ("bin", "logs"):
        os.makedirs(os.path.join(options.dir, folder), exist_ok=True)
    variants = [
        (program, variant)
        for program in manifest["programs"]
        for variant in ("opt", "orders")
        if variant == "opt" or (not manifest["twins"] and is_instrumented(program))
    ]
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    done = list(pool.map(lambda v: compile_one(options, *v), variants))
    for (program, variant), good in zip(variants, done):
        if not good:
            print("not compiled:", program["name"], variant)


def run(options):
    manifest = json.load(open(os.path.join(options.dir, "manifest.json")))
    for folder in ("bin", "logs"):
        os.makedirs(os.path.join(options.dir, folder), exist_ok=True)
    options.end = time.time() + options.seconds
    options.controls = manifest.get("controls", False)
    results = []
    programs = [p for p in manifest["programs"] if re.search(options.only, p["name"])]
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    futures = {pool.submit(work_safely, options, p, manifest["twins"]): p for p in programs}
    for future in concurrent.futures.as_completed(futures):
        results.append(future.result())
    json.dump(
        results,
        open(os.path.join(options.dir, "stress.json" if options.stress else "results.json"), "w"),
        indent=1,
    )
    print(len(results), "programs,", sum(r["compiled"] for r in results), "compiled")


def work_safely(options, program, twins):
    if time.time() > options.end:
        return {"name": program["name"], "compiled": False, "late": True, "launches": []}
    try:
        return work(options, program, twins)
    except Exception as error:  # one program must not end the others
        return {"name": program["name"], "compiled": False, "error": repr(error), "launches": []}


# ---- table --------------------------------------------------------------------------------------


def table(options):
    manifest = json.load(open(os.path.join(options.dir, "manifest.json")))
    results = {r["name"]: r for r in json.load(open(os.path.join(options.dir, "results.json")))}
    counts, unseen = collections.Counter(), []
    stressed, steady = {}, set()
    if os.path.exists(os.path.join(options.dir, "stress.json")):
        stressed = {r["name"]: r for r in json.load(open(os.path.join(options.dir, "stress.json")))}
    if options.controls:
        for r in json.load(open(os.path.join(options.controls, "stress.json"))):
            if r["launches"] and all(
                "other results 0 " in "".join(e["stress"][1]) for e in r["launches"]
            ):
                steady.add(r["name"])
    for program in manifest["programs"]:
        result = results.get(program["name"], {"compiled": False})
        if manifest["twins"]:
            for tool in ("racecheck", "memcheck", "synccheck", "initcheck"):
                if tool in result:
                    kind = (
                        "reports"
                        if result[tool][1]
                        else "ran" if result[tool][0] == 0 else f"status {result[tool][0]}"
                    )
                    counts[tool, kind] += 1
                    if kind != "ran":
                        unseen.append((program["file"], tool, result[tool]))
            counts["compiled", result["compiled"]] += 1
            continue
        entries = {e["number"]: e for e in result.get("launches", [])}
        for launch in program["launches"]:
            finding, entry = launch["finding"], entries.get(launch["number"])
            wide = launch.get("wide") and "wide"
            kind = " ".join(filter(None, [finding["kind"], finding.get("scope"), wide]))
            if wide and program["name"] in stressed:
                entry = entries.setdefault(launch["number"], {"number": launch["number"]})
            if entry is None or any("unsupported" in o for o in entry.get("plain", (0, []))[1]):
                counts[kind, "did not run"] += 1
                continue
            for other in stressed.get(program["name"], {"launches": []})["launches"]:
                if other["number"] == launch["number"]:
                    entry["stress"] = other["stress"]
                    entry["twin_is_steady"] = program["name"] in steady
            seen = seen_by(launch, entry)
            for observation in seen:
                counts[kind, observation.split(",")[0]] += 1
            sure = [o for o in seen if not o.startswith("perhaps")]
            counts[kind, "SEEN" if sure else "not seen"] += 1
            if bool(sure) == bool(manifest.get("controls")):
                unseen.append(
                    (
                        launch["file"],
                        launch["number"],
                        kind,
                        [a["line"] for a in finding["accesses"]],
                        seen,
                        {k: v for k, v in entry.items() if k != "number"},
                    )
                )
    for key, count in sorted(counts.items(), key=str):
        print(count, *key, sep="\t")
    for item in unseen:
        print(*item)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("generate")
    one.add_argument("dir")
    one.add_argument("--lockstep", default="lockstep")
    one.add_argument("--twins", action="store_true")
    one.add_argument("--controls", action="store_true")
    one.add_argument("--wide", action="store_true")
    one.add_argument("kernels", nargs="+")
    two = commands.add_parser("run")
    both = [(two, 16), (commands.add_parser("compile"), 2)]
    for command, jobs in both:
        command.add_argument("dir")
        command.add_argument("--nvcc", default="nvcc")
        command.add_argument("--arch", default="sm_90")
        command.add_argument("--jobs", type=int, default=jobs)
    two.add_argument("--seconds", type=float, default=500)
    two.add_argument("--limit", type=float, default=40)
    two.add_argument("--only", default="", help="a regular expression of programs")
    two.add_argument("--no-debug", action="store_true", help="no second try with -G")
    two.add_argument(
        "--stress",
        type=int,
        default=0,
        metavar="SECONDS",
        help="only launch many times beside other traffic, and count other results",
    )
    three = commands.add_parser("table")
    three.add_argument("dir")
    three.add_argument("--controls", metavar="DIR", help="where the twins ran under stress")
    options = parser.parse_args()
    {"generate": generate, "compile": compile_all, "run": run, "table": table}[options.command](
        options
    )


if __name__ == "__main__":
    main()
