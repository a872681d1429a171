#!/usr/bin/env python3
"""Runs the PTX of `examples/ptx/` and `tests/ptx/` on a GPU and compares the results with the host's.

    tests/hardware/ptx.py assemble OUT --ptxas PTXAS     # no GPU; ptxas of the newest dialect
    tests/hardware/ptx.py run OUT                        # every file, as it is and with delays
    tests/hardware/ptx.py tools OUT                      # racecheck, synccheck and memcheck
    tests/hardware/ptx.py table OUT                      # the tables of docs/hardware.md
    tests/hardware/ptx.py one OUT/NAME.plain.cubin       # one file in this process

`assemble` writes two cubins for each file whose target the GPU takes. In the one with *delays*, half
of all accesses, arrivals and barriers sleep before it in a quarter of the cases, for up to two
microseconds, by a hash of the clock and the warp. A right kernel must stay right with any delays. PTX
without line numbers gets those of its own lines, so that the tools can name them.

`run` appends to OUT/run.jsonl and `tools` to OUT/tools.jsonl, which `table` reads. `run` starts a process for each cubin with a time limit. It launches the kernel with several trip
counts and sizes, checks each result, and repeats the largest case beside other traffic. `CASES`
tells the arguments and the expected result of each kernel. Only integers, or floats whose sums are
exact, are compared with equality.

The driver is called by ctypes. numpy is needed, compute-sanitizer for `tools`.
"""

import argparse
import collections
import concurrent.futures
import ctypes
import json
import os
import re
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["examples/ptx", "tests/ptx"]
MODES = ["plain", "delays"]
TOOLS = ["racecheck", "synccheck", "memcheck"]
TRIPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 40, 41]
# Seconds until a launch counts as a hang; under a tool; until a process is ended from outside.
HANG, TOOL_HANG, LIMIT = 3.0, 15.0, 60
# The launches of the last case, for kernels whose defect needs luck more.
LAUNCHES = 150
MORE = {"flag_release": 1500, "last_block": 1500, "spin_lock": 1000, "bulk_store": 500}


# ---- Assembling ---------------------------------------------------------------------------------

ACCESS = re.compile(
    r"\s*(@!?%?\w+\s+)?(ld|st|atom|red|cp\.async|ldmatrix|stmatrix|mbarrier\.(arrive|init)|bar\.|barrier\.)"
)
STATEMENT = re.compile(r"\s+(@!?%?\w+\s+)?[a-z][\w.:]*(\s|;)")
DELAY = """{{ .reg .b32 lockstep_a, lockstep_b; .reg .pred lockstep_p;
mov.u32 lockstep_a, %clock; mov.u32 lockstep_b, %warpid;
mad.lo.u32 lockstep_a, lockstep_b, {warp}, lockstep_a; mad.lo.u32 lockstep_a, lockstep_a, 1664525, {site};
shr.u32 lockstep_b, lockstep_a, 15; xor.b32 lockstep_a, lockstep_a, lockstep_b;
mul.lo.u32 lockstep_a, lockstep_a, 739982445; shr.u32 lockstep_b, lockstep_a, 30;
setp.eq.u32 lockstep_p, lockstep_b, 0; shr.u32 lockstep_b, lockstep_a, 8; and.b32 lockstep_b, lockstep_b, 2047;
@lockstep_p nanosleep.u32 lockstep_b; }}"""


def places(lines):
    """Whether each line of PTX begins a statement of a function's body."""
    inside, complete = False, True
    for line in lines:
        code = line.split("//")[0].rstrip()
        begins = inside and complete and bool(STATEMENT.match(code)) and not code.strip().startswith(".")
        yield begins
        if code == "{":
            inside = True
        elif code == "}":
            inside = False
        if code.strip():
            complete = code.rstrip()[-1] in ";:{}" or code.strip().startswith((".loc", ".pragma", ".file"))


def with_delays(text):
    result, site = [], 0
    text = text.replace(".target sm_35", ".target sm_80")
    lines = text.splitlines()
    for line, begins in zip(lines, places(lines)):
        if begins and ACCESS.match(line) and not re.search(r"\.(param|const|local)\b|setmaxnreg", line):
            site += 1
            if site * 2654435761 >> 7 & 1 or site < 24:
                result.append(DELAY.format(site=site * 2654435761 & 0x7FFFFFFF, warp=site * 40503 + 977))
        result.append(line)
    return "\n".join(result) + "\n"


def with_lines(text):
    lines = text.splitlines()
    result = []
    for number, (line, begins) in enumerate(zip(lines, places(lines)), 1):
        if begins and "{" not in line.split("//")[0].split(" ")[0]:
            result.append(f".loc 1 {number} 0")
        result.append(line)
    return "\n".join(result) + '\n.file 1 "lines.ptx"\n'


def corpus():
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.ptx"))


def assemble(out, ptxas):
    out.mkdir(parents=True, exist_ok=True)
    jobs = []
    for path in corpus():
        text = path.read_text()
        target = re.search(r"\.target (sm_\w+)", text).group(1)
        if target.startswith("sm_10"):
            continue
        name = path.name.removesuffix(".ptx")
        entry = re.search(r"\.entry\s+(\w+)", text).group(1)
        size = json.loads(re.search(r"--local_size=(\S+)", text).group(1))
        required = re.search(r"\.reqntid\s+([\d, ]+)", text)
        block = [int(n) for n in required.group(1).split(",")] if required else size if isinstance(size, list) else [size]
        expected = re.search(r"^// Expected: (.*)$", text, re.M)
        own = not re.search(r"^\s*\.loc\b", text, re.M)
        facts = {
            "name": name, "entry": entry, "block": (block + [1, 1])[:3],
            "expected": expected.group(1) if expected else "",
        }
        (out / f"{name}.json").write_text(json.dumps(facts))
        for mode in MODES:
            source = with_delays(text) if mode == "delays" else with_lines(text) if own else text
            file = out / f"{name}.{mode}.ptx"
            file.write_text(source)
            command = [ptxas, "-arch", "sm_90a", "-lineinfo", "-o", str(out / f"{name}.{mode}.cubin"), str(file)]
            jobs.append((file, command))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (file, _), done in zip(jobs, pool.map(lambda job: subprocess.run(job[1], capture_output=True, text=True), jobs)):
            if done.returncode:
                print(f"{file.name}: {done.stderr[:400]}")
            file.unlink()
    print(f"{len(jobs)} cubins")


# ---- The driver ---------------------------------------------------------------------------------

class Failure(Exception):
    """An error of the driver or of a launch."""


class Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16)]


class Config(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint * 7), ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint)]


TRAFFIC = b"""
.version 7.8
.target sm_80
.address_size 64
.visible .entry traffic(.param .u64 memory, .param .u32 rounds)
{ .reg .b32 r<9>; .reg .b64 a<4>; .reg .pred p;
ld.param.u64 a0, [memory]; ld.param.u32 r0, [rounds];
mov.u32 r1, %ctaid.x; mov.u32 r2, %tid.x; mad.lo.u32 r3, r1, 256, r2;
L: mad.lo.u32 r3, r3, 1664525, 1013904223; and.b32 r4, r3, 16777212; cvt.u64.u32 a1, r4; add.u64 a2, a0, a1;
ld.global.u32 r5, [a2]; add.u32 r5, r5, 1; st.global.u32 [a2], r5;
sub.u32 r0, r0, 1; setp.ne.u32 p, r0, 0; @p bra L; ret; }
\0"""


class Device:
    def __init__(self, hang):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.hang = hang
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.call("cuCtxSetCurrent", self.context)
        self.call("cuCtxSetLimit", 0, ctypes.c_size_t(16384))
        self.stream, self.other = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(self.stream), 1)
        self.call("cuStreamCreate", ctypes.byref(self.other), 1)
        self.noise = None

    def call(self, name, *arguments):
        error = getattr(self.cuda, name)(*arguments)
        if error:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(error, ctypes.byref(text))
            raise Failure(f"{name}: {(text.value or b'?').decode()}")

    def load(self, image, entry):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        return function

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address.value

    def write(self, address, data):
        data = np.ascontiguousarray(data)
        at, size = ctypes.c_void_p(data.ctypes.data), ctypes.c_size_t(data.nbytes)
        self.call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(address), at, size, self.stream)

    def read(self, address, like):
        data = np.empty_like(like)
        at, size = ctypes.c_void_p(data.ctypes.data), ctypes.c_size_t(data.nbytes)
        self.call("cuMemcpyDtoHAsync_v2", at, ctypes.c_uint64(address), size, self.stream)
        self.call("cuStreamSynchronize", self.stream)
        return data

    def traffic(self):
        if not self.noise:
            self.noise = self.load(TRAFFIC, "traffic"), self.allocate(1 << 24)
        self.launch(self.noise[0], [40, 1, 1], [256, 1, 1], 0, [ctypes.c_uint64(self.noise[1]), ctypes.c_uint(60)], stream=self.other)

    def launch(self, function, grid, block, shared, values, cluster=0, cooperative=False, stream=None):
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.pointer(v), ctypes.c_void_p) for v in values])
        attributes = (Attribute * 2)()
        count = 0
        if cluster:
            attributes[count].id, attributes[count].value[0:3] = 4, [cluster, 1, 1]
            count += 1
        if cooperative:
            attributes[count].id, attributes[count].value[0:1] = 2, [1]
            count += 1
        config = Config()
        config.size[:] = [*grid, *block, shared]
        config.stream = stream or self.stream
        config.attributes, config.count = ctypes.cast(attributes, ctypes.c_void_p), count
        self.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)

    def finish(self):
        """Waits for the kernel; False if it does not end."""
        begin = time.monotonic()
        while True:
            error = self.cuda.cuStreamQuery(self.stream)
            if error == 0:
                return True
            if error != 600:
                self.call("cuStreamSynchronize", self.stream)
                raise Failure(f"error {error}")
            if time.monotonic() - begin > self.hang:
                return False

    def tensor_map(self, kind, address, width, height, box, swizzle):
        """A map of a matrix with `width` elements a row; `kind` is CUtensorMapDataType."""
        size = {6: 2, 7: 4}[kind]
        result = (ctypes.c_ubyte * 256)()
        offset = -ctypes.addressof(result) % 64
        at = ctypes.addressof(result) + offset
        self.call(
            "cuTensorMapEncodeTiled", ctypes.c_void_p(at), kind, 2, ctypes.c_void_p(address),
            (ctypes.c_uint64 * 2)(width, height), (ctypes.c_uint64 * 1)(width * size), (ctypes.c_uint32 * 2)(*box),
            (ctypes.c_uint32 * 2)(1, 1), 0, swizzle, 0, 0,
        )
        return bytes(result[offset : offset + 128])


# ---- Cases --------------------------------------------------------------------------------------

class In:
    """An array that the kernel gets the address of, and what it must hold in the end."""

    def __init__(self, data, end=None, tolerance=0.0):
        self.data = np.ascontiguousarray(data)
        self.end = None if end is None else np.ascontiguousarray(end).astype(self.data.dtype).reshape(self.data.shape)
        self.tolerance = tolerance
        # A launch may depend on the contents that the one before it left.
        self.changes = end is not None or not self.data.any()


class Made:
    """An argument whose bytes depend on addresses: a function of the device and of an `In`'s address."""

    def __init__(self, array, make):
        self.array, self.make = array, make


class Case:
    def __init__(self, label, grid, arguments, shared=0, cluster=0, cooperative=False, block=None):
        self.label, self.arguments, self.shared, self.block = label, arguments, shared, block
        self.grid = ([grid] if isinstance(grid, int) else list(grid)) + [1, 1]
        self.cluster, self.cooperative = cluster, cooperative


def numbers(n):
    return (np.arange(n, dtype=np.int64) * 7919 + 13) % 1001 - 500


def ints(n):
    return numbers(max(1, n)).astype(np.int32)


def floats(n):
    """Small numbers, whose sums and products are exact."""
    return (numbers(max(1, n)) % 64).astype(np.float32)


def zeros(n, kind=np.float32):
    return np.zeros(max(1, n), kind)


def fold(rows):
    """sum = sum * 3 + row, in 32 bits."""
    total = np.zeros(rows.shape[1:], np.uint32)
    for row in rows.astype(np.uint32):
        total = total * np.uint32(3) + row
    return total.view(np.int32)


def rounds_case(width, make, expected, read=None, per_block=False, kind=floats, shared=0, extra=(), out_type=np.float32):
    """Cases of a kernel (in, out, rounds): in has `width` elements a round, for each block or for all."""
    for blocks, trips in [(3, TRIPS), (300, [41])]:
        for rounds in trips:
            data = kind(rounds * width * (blocks if per_block else 1))
            shaped = data[: rounds * width * (blocks if per_block else 1)].reshape(-1, rounds, width) if rounds else np.zeros((1, 0, width), data.dtype)
            if per_block and not rounds:
                shaped = np.zeros((blocks, 0, width), data.dtype)
            end = expected(shaped)
            if not per_block:
                end = np.tile(end, (blocks, 1))
            end = end.astype(out_type).ravel()
            yield Case(f"{blocks} blocks, {rounds} rounds", blocks, make(In(data), In(zeros(len(end), out_type), end), rounds), shared)


def plain(*arguments):
    return list(arguments)


def ring_of_ints():
    lane = np.arange(32)
    return rounds_case(32, plain, lambda a: np.stack([fold(b[:, lane ^ 1]) for b in a]), kind=ints, out_type=np.int32)


def symbolic_ring():
    lane = np.arange(32)
    for stages in [1, 2, 3, 7, 40]:
        yield from rounds_case(
            32, lambda a, o, r: [a, o, r, stages], lambda a: np.stack([fold(b[:, lane ^ 1]) for b in a]),
            kind=ints, shared=144 * stages, out_type=np.int32,
        )


def barrier_order():
    lane = np.arange(32)
    order = np.concatenate([32 + (lane ^ 3), lane ^ 3])
    return rounds_case(64, plain, lambda a: np.stack([fold(b[:, order]) for b in a]), kind=ints, out_type=np.int32)


def named_barriers():
    t = np.arange(32, 128)

    def expected(a):
        return np.stack([sum((b[k][(t + k) % 32] for k in range(len(b))), np.zeros(96)) for b in a])

    return rounds_case(32, plain, expected)


def sums_of(width, order, per_block=False):
    order = np.asarray(order)
    return lambda: rounds_case(width, plain, lambda a: a[:, :, order].sum(1), per_block=per_block)


def async_copy_stages():
    t = np.arange(128)
    return rounds_case(128, plain, lambda a: (a[:, :, t ^ 1] * a).sum(1), per_block=True)


def warp_roles():
    t = np.arange(128)

    def expected(a):
        a = a.reshape(a.shape[0], a.shape[1], 2, 4, 128)[..., t ^ 5]
        return a.sum((1, 3)).reshape(a.shape[0], 256)

    return rounds_case(1024, plain, expected, per_block=True, shared=3 * 4096)


def pipeline_primitives():
    for blocks, trips in [(3, TRIPS), (300, [41])]:
        for rounds in trips:
            data = floats(max(1, rounds) * 256)
            v = data.reshape(-1, 64, 4)[:rounds, ::-1]
            end = (v[..., 0] + v[..., 1] * v[..., 2] - v[..., 3]).sum(0)
            yield Case(f"{blocks} blocks, {rounds} rounds", blocks, [In(data), In(zeros(blocks * 64), np.tile(end, blocks)), rounds])


def group_copy():
    return rounds_case(512, plain, lambda a: a.reshape(a.shape[0], a.shape[1], 128, 4)[:, :, ::-1].sum((1, 3)))


def saxpy_named_barriers():
    for blocks, trips in [(3, TRIPS), (300, [41])]:
        for rounds in trips:
            x = floats(blocks * rounds * 128)
            y = x[::-1] * 2
            end = 2 * x + y if rounds else zeros(1)
            yield Case(f"{blocks} blocks, {rounds} rounds", blocks, [In(x), In(y), In(zeros(len(x)), end), 2.0, rounds])


def bulk_store():
    for blocks, trips in [(3, TRIPS), (300, [41])]:
        for rounds in trips:
            x = floats(blocks * rounds * 128)
            yield Case(f"{blocks} blocks, {rounds} rounds", blocks, [In(x), In(zeros(len(x)), 2 * x if rounds else zeros(1)), rounds])


def barrier_counts():
    t = np.arange(128)
    for blocks in [1, 3, 1000]:
        a = ints(blocks * 128)
        yield Case(f"{blocks} blocks", blocks, [In(a), In(zeros(len(a), np.int32), a.reshape(-1, 128)[:, t ^ 33])])


def cluster_sum():
    for blocks in [4, 8, 1024]:
        a = floats(blocks)
        end = np.repeat(np.repeat(a.reshape(-1, 4).sum(1), 4) + np.arange(blocks) % 4, 32)
        yield Case(f"{blocks} blocks", blocks, [In(a), In(zeros(blocks * 32), end)], cluster=4)


def bytes_of(n, below):
    return (numbers(n) % below).astype(np.uint8)


def cluster_histogram():
    for blocks, n in [(2, 0), (2, 300), (4, 5000), (200, 100000)]:
        a = bytes_of(max(1, n), 256)
        end = np.bincount(a[:n], minlength=256)
        yield Case(f"{blocks} blocks, {n} bytes", blocks, [In(a), In(zeros(256, np.int32), end), n], cluster=2)


def histogram():
    for blocks, n in [(1, 0), (3, 300), (3, 5000), (200, 100000)]:
        a = bytes_of(max(1, n), 256)
        yield Case(f"{blocks} blocks, {n} bytes", blocks, [In(a), In(zeros(256, np.uint32), np.bincount(a[:n], minlength=256)), n])


def flag_release():
    for blocks in [1, 64, 700]:
        a = ints(blocks)
        yield Case(f"{blocks} blocks", blocks, [In(a), In(zeros(blocks, np.int32), np.cumsum(a)), In(zeros(blocks, np.int32))])


def spin_lock():
    for blocks in [1, 64, 500]:
        a = floats(blocks * 128)
        yield Case(f"{blocks} blocks", blocks, [In(a), In(zeros(1), [a.sum()]), In(zeros(1, np.int32))])


def last_block():
    for blocks in [1, 64, 700]:
        a = floats(blocks * 128)
        arguments = [In(a), In(zeros(blocks)), In(zeros(1, np.int32)), In(zeros(1), [a.sum()])]
        yield Case(f"{blocks} blocks", blocks, arguments)


def swizzled_transpose():
    for x, y in [(1, 1), (3, 2), (20, 30)]:
        a = floats(x * y * 1024)
        yield Case(f"{x * 32} by {y * 32}", [x, y], [In(a), In(zeros(len(a)), a.reshape(y * 32, x * 32).T)])


def transpose():
    for width, height in [(1, 1), (100, 33), (640, 961)]:
        a = floats(width * height)
        arguments = [In(a), In(zeros(len(a)), a.reshape(height, width).T), width, height]
        yield Case(f"{width} by {height}", [-(-width // 32), -(-height // 32)], arguments)


def strided_sums(a, blocks, threads):
    owner = np.arange(len(a)) // threads % blocks
    return np.bincount(owner, a.astype(np.float64), blocks)


def block_sum():
    for blocks, n in [(3, 0), (3, 100), (3, 3000), (300, 100000)]:
        a = floats(n)
        yield Case(f"{blocks} blocks, {n} elements", blocks, [In(a), In(zeros(blocks), strided_sums(a[:n], blocks, 256)), n])


def bit_instructions():
    mask = 0xFFFFFFFF

    def signed(v, bits=32):
        v &= (1 << bits) - 1
        return v - (1 << bits) if v >> bits - 1 else v

    def lanes(x, y, f):
        return sum((f(x >> s & 255, y >> s & 255) & 255) << s for s in (0, 8, 16, 24))

    def one(x, w, t):
        b = [x >> 8 * i & 255 for i in range(4)]
        y = b[1] | b[2] << 8 | b[0] << 16 | b[3] << 24
        y ^= (t << 7 | x >> 25) & mask ^ 0
        y ^= int(f"{x:032b}"[::-1], 2)
        y = y + 32 - x.bit_length() + ((t & -t).bit_length()) + bin(y).count("1") + 64 - (w & (1 << 64) - 1).bit_length() & mask
        dot = sum(signed(x >> s, 8) * signed(y >> s, 8) for s in (0, 8, 16, 24)) + t
        y = dot + abs(x - y) + t + signed(x, 24) * signed(t, 24) + (x * y >> 32) & mask
        add = lanes(x, y, lambda p, q: p + q)
        difference = lanes(x, y, lambda p, q: abs(p - q))
        y ^= add + difference + (x & y | ~x & t) + max(signed(x), t) + (x >> (t & 31)) & mask
        y = y * 3 + (x & 0xFFFF) % 7 + signed(x >> 9, 8) * 5 & mask
        product = (w & (1 << 64) - 1) * (x | 1 << 63) + t
        quotient = abs(w) // 1000003 * (1 if w >= 0 else -1)
        return y, (product >> 64) + quotient & (1 << 64) - 1

    for blocks in [1, 40]:
        n = blocks * 256
        x = (np.arange(n, dtype=np.uint64) * np.uint64(2654435761) >> np.uint64(3)).astype(np.uint32)
        w = (np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)).view(np.int64)
        out, products = np.zeros(n, np.uint32), np.zeros(n, np.uint64)
        for i in range(n):
            t = i % 256
            y, products[i] = one(int(x[i]), int(w[i]), t)
            out[i - t + int(f"{t:08b}"[::-1], 2)] = y
        yield Case(f"{blocks} blocks", blocks, [In(x), In(w), In(zeros(n, np.uint32), out), In(zeros(n, np.uint64), products)])


def calls_of_the_system():
    a = ints(1000)
    a[0] = 1
    yield Case("1000 elements", 16, [In(a), In(zeros(1024, np.int32), np.pad(a * 2, (0, 24))), 1000])


def recursion():
    a = ints(640)
    yield Case("640 elements", 10, [In(a), In(zeros(640, np.int32), 2 * (a & 7) + 3)])


def dynamic_shared():
    for blocks in [1, 3, 1000]:
        n = blocks * 64
        value, key = numbers(n).astype(np.float64), ints(n)
        end = value[np.arange(n) // 64 * 64 + key.view(np.uint32) % 64]
        yield Case(f"{blocks} blocks", blocks, [In(value), In(key), In(zeros(n, np.float64), end)], shared=64 * 12)


def function_call():
    for n in [1, 100, 50000]:
        a = floats(2 * n)
        end = a[::2] * 3 + (a[1::2] + 3)
        yield Case(f"{n} elements", -(-n // 64), [In(a), In(zeros(n), end), 3.0, n])


def function_table():
    for blocks in [1, 500]:
        n = blocks * 64
        which, out, i = bytes_of(n, 250), ints(n), np.arange(n, dtype=np.int32)
        end = np.choose(which % 3, [out + i, out * i, i])
        yield Case(f"{blocks} blocks", blocks, [In(which), In(out, end)])


def grid_sync():
    for blocks in [1, 3, 400]:
        n = blocks * 128 - 5
        a = floats(n)
        middle, end = zeros(n), zeros(n)
        middle[1:-1] = a[:-2] + a[2:]
        end[2:-2] = middle[1:-3] * middle[3:-1]
        yield Case(f"{blocks} blocks", blocks, [In(a), In(zeros(n), middle), In(zeros(n), end), n], cooperative=True)


def saxpy_grid_stride():
    for blocks, n in [(1, 0), (2, 1000), (100, 100000)]:
        x, y = floats(n), floats(n)[::-1]
        yield Case(f"{blocks} blocks, {n} elements", blocks, [n, 2.0, In(x), In(y, 2 * x + y if n else y)])


def struct_parameter():
    for n, shift in [(10, 0), (1000, 3), (50000, -2)]:
        a = floats(n)
        index = np.arange(max(1, shift), min(n - 1, -(-n // 128) * 128 + shift))
        end = zeros(n)
        end[index] = a[index - 1] + 2 * a[index] + 3 * a[index + 1]
        source = In(a)
        out = In(zeros(n), end)

        def make(device, addresses, n=n):
            return struct.pack("QQi3f", addresses[0], addresses[1], n, 1, 2, 3)

        yield Case(f"{n} elements, shift {shift}", -(-n // 128), [Made([source, out], make), np.int16(shift)])


def switch_table():
    t = np.arange(128)

    def value(code, x, c5, c9):
        q = abs(x) // 11 * (1 if x >= 0 else -1)
        r = abs(x) % 5 * (1 if x >= 0 else -1)
        table = [
            x + 7, x * x - 1, c5, x >> 3, bin(x & 0xFFFFFFFF).count("1"), x & 0x5A5A | 3, -x, q, x * 3 ^ 9, c9 - x, r,
            ~x, (x << 2) + 1, x | 64, 1 if x > 0 else -1, 1 - x,
        ]
        return table[code] if code < 16 else 0

    for blocks in [1, 3, 60]:
        n = blocks * 128
        code, a = bytes_of(n, 18), ints(n)
        cells = a.reshape(-1, 128)
        columns = [cells[:, t ^ 1].ravel(), cells[:, t + 5 & 127].ravel(), cells[:, t + 9 & 127].ravel()]
        end = [value(int(c), int(x), int(p), int(q)) for c, x, p, q in zip(code, *columns)]
        yield Case(f"{blocks} blocks", blocks, [In(code), In(a), In(zeros(n, np.int32), np.array(end))])


def tensor_map_tile():
    t = np.arange(128)
    row = t % 32
    for blocks, trips in [(3, TRIPS), (200, [41])]:
        for rounds in trips:
            width = max(1, rounds) * 32
            a = floats(blocks * 32 * width)
            tiles = a.reshape(blocks, 32, width // 32, 32)[:, :, :rounds]
            end = sum(tiles[:, row, :, (t // 32 * 8 + j) ^ row].sum(-1) for j in range(8))
            end = end.T if end.shape[0] != blocks else end

            def make(device, addresses, width=width, height=blocks * 32):
                return device.tensor_map(7, addresses[0], width, height, (32, 32), 0)

            yield Case(f"{blocks} blocks, {rounds} rounds", blocks, [Made([In(a)], make), In(zeros(blocks * 128), end), rounds])


def unoptimised():
    for blocks in [1, 3, 500]:
        a = floats(blocks * 64)
        yield Case(f"{blocks} blocks", blocks, [In(a), In(zeros(blocks), a.reshape(-1, 64).sum(1))])


def vector_add():
    for n in [1, 100, 100000]:
        a, b = floats(n), floats(n)[::-1]
        yield Case(f"{n} elements", -(-n // 256), [In(a), In(b), In(zeros(n), a + b), n])


def vectors():
    for blocks in [1, 3, 500]:
        n = blocks * 128
        v = (numbers(n * 4) % 8).astype(np.float32).reshape(n, 4)
        s = (numbers(n * 2) % 3).astype(np.float16).reshape(n, 2)
        cells = (v[:, :2] * s).astype(np.float32)
        other = cells.reshape(-1, 128, 2)[:, ::-1].reshape(n, 2) * s + cells
        yield Case(f"{blocks} blocks", blocks, [In(v, np.concatenate([other, v[:, 2:]], 1)), In(s)])


def warp_sum():
    for n in [100, 1000, 100000]:
        blocks = -(-n // 256)
        a = numbers(n).astype(np.float32)
        padded = np.pad(a, (0, blocks * 256 - n)).reshape(-1, 32)
        votes = ((padded > 0) @ (1 << np.arange(32, dtype=np.uint64))).astype(np.uint32)
        arguments = [In(a), In(zeros(blocks), padded.reshape(-1, 256).sum(1)), In(zeros(blocks * 8, np.uint32), votes), n]
        yield Case(f"{n} elements", blocks, arguments)


def cute_array(array, n):
    return Made([array], lambda device, addresses: struct.pack("QQ", addresses[0], n))


def cute_sums(weight):
    lane = np.arange(32)

    def make(a, o, rounds):
        return [cute_array(a, len(a.data)), cute_array(o, len(o.data))] + ([1.0] if weight else []) + [rounds]

    return lambda: rounds_case(32, make, lambda a: a[:, :, 31 - lane].sum(1), per_block=True, shared=4096)


def cute_matmul(cluster):
    def cases():
        for m, n, k in [(256, 128, 64), (256, 256, 320), (1024, 512, 1024)]:
            a = (numbers(m * k) % 5 - 2).astype(np.float16).reshape(m, k)
            b = (numbers(n * k) % 7 - 3).astype(np.float16).reshape(n, k)
            end = a.astype(np.float32) @ b.astype(np.float32).T
            left, right, out = In(a), In(b), In(zeros(m * n), end.ravel())

            def tiles(array, height, rows, k=k):
                return Made([array], lambda device, at: device.tensor_map(6, at[0], k, height, (64, rows), 3))

            result = Made([out], lambda device, at, m=m, n=n: struct.pack("QiiQ", at[0], m, n, n))
            # Each thread block of a cluster loads its part of the second operand for all.
            maps = tiles(left, m, 128), tiles(right, n, 128 // (cluster or 1))
            arguments = [b"\0", maps[0], struct.pack("ii", m, k), maps[1], struct.pack("ii", n, k), result]
            yield Case(f"{m} by {n} by {k}", [m // 128, n // 128], arguments, shared=140000, cluster=cluster)

    return cases


SCRATCH = "scratch"


def gluon_ring():
    return rounds_case(128, lambda a, o, r: [a, o, r, SCRATCH, SCRATCH], lambda a: a.sum(1), per_block=True, shared=8192)


def gluon_tma_ring():
    for blocks, trips in [(3, TRIPS[1:]), (200, [41])]:
        for rounds in trips:
            a = floats(blocks * 64 * rounds * 32)
            end = a.reshape(blocks * 64, rounds, 32).sum(1)
            arguments = [In(a), In(zeros(end.size), end.ravel()), blocks * 64, rounds * 32, SCRATCH, SCRATCH]
            yield Case(f"{blocks} blocks, {rounds} rounds", blocks, arguments, shared=49152)


def triton_add():
    for n in [1, 1000, 100000]:
        a, b = floats(n), floats(n)[::-1]
        yield Case(f"{n} elements", -(-n // 1024), [In(a, a + b), In(b), n, SCRATCH, SCRATCH], shared=1024)


def triton_softmax():
    for rows, n in [(1, 100), (7, 1000), (500, 777)]:
        stride = n + 3
        x = (numbers(rows * stride) % 16 / 4).astype(np.float32).reshape(rows, stride)
        e = np.exp(x[:, :n] - x[:, :n].max(1, keepdims=True))
        end = np.append((e / e.sum(1, keepdims=True)).ravel(), 0)
        yield Case(f"{rows} rows of {n}", rows, [In(x), In(zeros(rows * n + 1), end, 1e-5), stride, n, SCRATCH, SCRATCH], shared=4096)


def triton_layer_norm():
    for rows, n in [(2, 100), (8, 1000), (400, 1500)]:
        x = (numbers(rows * n) % 16 / 4).astype(np.float16).reshape(rows, n)
        weight = floats(n)
        wide = x.astype(np.float64)
        mean = wide.mean(1)
        end = (wide - mean[:, None]) / np.sqrt(wide.var(1) + 1e-3)[:, None] * weight
        arguments = [In(x), In(weight), In(np.zeros((rows, n), np.float16), end, 1e-2), In(zeros(rows), mean, 1e-4), n, 1e-3, SCRATCH, SCRATCH]
        yield Case(f"{rows} rows of {n}", rows, arguments, shared=4096)


def triton_scan():
    for rows, n in [(1, 100), (8, 512), (400, 500)]:
        x = (numbers(rows * n) % 200).astype(np.int32).reshape(rows, n)
        # Elements beyond n count as zeros.
        bins = np.bincount(x.ravel() & 127, minlength=128)
        bins[0] += rows * (512 - n)
        arguments = [In(x), In(np.zeros((rows, n), np.int32), np.cumsum(x, 1)), In(zeros(128, np.int32), bins), n, SCRATCH, SCRATCH]
        yield Case(f"{rows} rows of {n}", rows, arguments, shared=8192)


def triton_lock():
    for rows, n in [(1, 100), (64, 512), (300, 500)]:
        x = floats(rows * n).reshape(rows, n)
        arguments = [In(x), In(zeros(n), x.sum(0)), In(zeros(1, np.int32)), n, SCRATCH, SCRATCH]
        yield Case(f"{rows} rows of {n}", rows, arguments, shared=4096)


def halves(m, k, below):
    return (numbers(m * k) % below - below // 2).astype(np.float16).reshape(m, k)


def triton_matmul():
    for m, n, k in [(64, 64, 32), (100, 144, 96), (640, 512, 512)]:
        a, b = halves(m, k, 3), halves(k, n, 5)
        end = a.astype(np.float32) @ b.astype(np.float32)
        arguments = [In(a), In(b), In(np.zeros((m, n), np.float16), end, 1e-2), m, n, k, k, n, SCRATCH, SCRATCH]
        yield Case(f"{m} by {n} by {k}", [-(-m // 64), -(-n // 64)], arguments, shared=65536)


def triton_matmul_tma(persistent):
    def cases():
        for m, n, k in [(128, 128, 64), (200, 192, 200), (1024, 1024, 1024)]:
            a, b = halves(m, k, 3), halves(n, k, 5)
            end = a.astype(np.float32) @ b.astype(np.float32).T
            arguments = [In(a), In(b), In(np.zeros((m, n), np.float16), end, 1e-2), m, n, k, SCRATCH, SCRATCH]
            tiles = [-(-m // 128), -(-n // 128)] if not persistent else [min(50, -(-m // 128) * -(-n // 64))]
            yield Case(f"{m} by {n} by {k}", tiles, arguments, shared=200000)

    return cases


def triton_attention():
    for n, heads in [(64, 1), (100, 2), (512, 8)]:
        q, k, v = (halves(heads * n, 64, p).reshape(heads, n, 64) for p in (5, 7, 9))
        scale = 0.05
        weight = np.einsum("hid,hjd->hij", q.astype(np.float64), k.astype(np.float64)) * scale
        weight = np.exp2(weight - weight.max(-1, keepdims=True))
        end = weight @ v.astype(np.float64) / weight.sum(-1, keepdims=True)
        arguments = [In(q), In(k), In(v), In(np.zeros_like(q), end, 3e-2), n, scale, SCRATCH, SCRATCH]
        yield Case(f"{heads} heads of {n}", [-(-n // 64), heads], arguments, shared=65536)


def numba_array(array, n, stride):
    size = array.data.itemsize
    return [np.int64(0), np.int64(0), np.int64(n), np.int64(size), array, np.int64(n), np.int64(stride * size)]


def numba_add():
    for n in [1, 100, 50000]:
        a, b = floats(n), floats(n)[::-1]
        end = a + b
        end[-1] = 0
        arrays = [In(a), In(b), In(zeros(n), end)]
        yield Case(f"{n} elements", -(-n // 128), sum((numba_array(x, n, 1) for x in arrays), []))


def numba_block_sum():
    for blocks, n in [(3, 100), (3, 3000), (300, 100000)]:
        a = floats(n)
        out = In(zeros(blocks), strided_sums(a, blocks, 128))
        yield Case(f"{blocks} blocks, {n} elements", blocks, numba_array(In(a), n, 1) + numba_array(out, blocks, 1))


def numba_histogram():
    for blocks, n in [(3, 100), (3, 3000), (300, 100000)]:
        a = bytes_of(n, 256)
        out = In(zeros(64, np.int32), np.bincount(a % 64, minlength=64))
        yield Case(f"{blocks} blocks, {n} elements", blocks, numba_array(In(a), n, 1) + numba_array(out, 64, 1))


def numba_warp_sum():
    for blocks, stride in [(1, 1), (3, 2), (400, 1)]:
        a = floats(blocks * 256 * stride)
        out = In(zeros(blocks), a[::stride].reshape(-1, 256).sum(1))
        yield Case(f"{blocks} blocks, stride {stride}", blocks, numba_array(In(a), blocks * 256, stride) + numba_array(out, blocks, 1))


def warp_array(array, shape):
    size = array.data.itemsize
    strides = [size * int(np.prod(shape[i + 1 :])) for i in range(len(shape))]

    def padded(values):
        return (list(values) + [0] * 4)[:4]

    return Made([array], lambda device, at: struct.pack("QQ4i4iii", at[0], 0, *padded(shape), *padded(strides), len(shape), 0))


def warp_add():
    for n in [1, 1000, 100000]:
        a, b = floats(n), floats(n)[::-1]
        bounds = struct.pack("iiQQ", n, 0, n, 1)
        yield Case(f"{n} elements", -(-n // 256), [bounds, *(warp_array(x, [n]) for x in (In(a), In(b), In(zeros(n), a + b)))])


def warp_rows():
    for rows, columns in [(1, 100), (7, 1000), (100, 700)]:
        x = floats(rows * columns).reshape(rows, columns)
        bounds = struct.pack("iiQQ", rows, columns, rows * columns, 1)
        out = warp_array(In(zeros(rows), x.sum(1)), [rows])
        yield Case(f"{rows} by {columns}", -(-rows * columns // 256), [bounds, warp_array(In(x), [rows, columns]), out])


def warp_tile_sum():
    for rows in [1, 7, 500]:
        x = floats(rows * 256).reshape(rows, 256)
        bounds = struct.pack("iiQQ", rows, 0, rows * 256, 256)
        out = warp_array(In(zeros(rows), x.sum(1)), [rows])
        yield Case(f"{rows} rows", rows, [bounds, warp_array(In(x), [rows, 256]), out], shared=8192)


T = np.arange(128)
CASES = {
    "async_copy_stages": async_copy_stages, "barrier_counts": barrier_counts, "barrier_order": barrier_order,
    "barrier_ring": ring_of_ints, "bit_instructions": bit_instructions, "block_sum": block_sum,
    "bulk_copy_ring": sums_of(128, T * 5 % 128), "bulk_store": bulk_store, "calls_of_the_system": calls_of_the_system,
    "cluster_histogram": cluster_histogram, "cluster_sum": cluster_sum, "cuda_barrier_ring": sums_of(128, 127 - T),
    "cuda_pipeline": sums_of(128, 127 - T), "cuda_pipeline_roles": sums_of(64, 63 - T[:64]),
    "cute_barriers": cute_sums(True), "cute_matmul": cute_matmul(0), "cute_matmul_cluster": cute_matmul(2),
    "cute_ring": cute_sums(False), "dynamic_shared": dynamic_shared, "flag_release": flag_release,
    "function_call": function_call, "function_table": function_table, "gluon_ring": gluon_ring,
    "gluon_tma_ring": gluon_tma_ring, "grid_sync": grid_sync, "group_copy": group_copy, "histogram": histogram,
    "last_block": last_block, "mbarrier_ring": ring_of_ints, "named_barriers": named_barriers, "numba_add": numba_add,
    "numba_block_sum": numba_block_sum, "numba_histogram": numba_histogram, "numba_warp_sum": numba_warp_sum,
    "pipeline_primitives": pipeline_primitives, "recursion": recursion,
    "ring_of_warps": sums_of(96, np.arange(96) // 32 * 32 + (np.arange(96) % 32 ^ 7)), "saxpy_grid_stride": saxpy_grid_stride,
    "saxpy_named_barriers": saxpy_named_barriers, "spin_lock": spin_lock, "struct_parameter": struct_parameter,
    "switch_table": switch_table, "swizzled_transpose": swizzled_transpose, "symbolic_ring": symbolic_ring,
    "tensor_map_tile": tensor_map_tile, "transpose": transpose, "triton_add": triton_add, "triton_attention": triton_attention,
    "triton_layer_norm": triton_layer_norm, "triton_lock": triton_lock, "triton_matmul": triton_matmul,
    "triton_matmul_persistent": triton_matmul_tma(True), "triton_matmul_tma": triton_matmul_tma(False),
    "triton_scan": triton_scan, "triton_softmax": triton_softmax, "unoptimised": unoptimised, "vector_add": vector_add,
    "vectors": vectors, "warp_add": warp_add, "warp_roles": warp_roles, "warp_sum": warp_sum, "warp_sum.warp": warp_rows,
    "warp_tile_sum": warp_tile_sum,
}


def kernel_of(name):
    stem, compiler = name.split(".")
    kernel = re.sub(r"(_sm90)?(_defect)?$", "", stem)
    return f"{kernel}.{compiler}" if f"{kernel}.{compiler}" in CASES else kernel


# ---- Running ------------------------------------------------------------------------------------

class Prepared:
    """A case whose arrays are on the device."""

    def __init__(self, device, case):
        self.device, self.case, self.arrays = device, case, {}
        self.values = [self.value(argument) for argument in case.arguments]

    def address(self, array):
        if id(array) not in self.arrays:
            # Some more memory than the kernel may use, for defects.
            self.arrays[id(array)] = array, self.device.allocate(array.data.nbytes + 256)
        return self.arrays[id(array)][1]

    def value(self, argument):
        if argument is SCRATCH:
            return ctypes.c_uint64(self.device.allocate(1 << 20))
        if isinstance(argument, In):
            return ctypes.c_uint64(self.address(argument))
        if isinstance(argument, Made):
            argument = argument.make(self.device, [self.address(array) for array in argument.array])
        if isinstance(argument, bytes):
            holder = (ctypes.c_uint64 * (len(argument) // 8 + 1))()
            ctypes.memmove(holder, argument, len(argument))
            return holder
        if isinstance(argument, np.int64):
            return ctypes.c_int64(argument)
        if isinstance(argument, np.int16):
            return ctypes.c_int16(argument)
        return ctypes.c_float(argument) if isinstance(argument, float) else ctypes.c_int32(argument)

    def once(self, function, block, first):
        """The arrays with an expected content after one launch, or None if it hangs."""
        for array, address in self.arrays.values():
            if first or array.changes:
                self.device.write(address, array.data)
        case = self.case
        self.device.launch(function, case.grid[:3], block, case.shared, self.values, case.cluster, case.cooperative)
        if not self.device.finish():
            return None
        return [(array, self.device.read(address, array.data)) for array, address in self.arrays.values() if array.end is not None]


def wrong(array, data):
    if array.tolerance:
        return not np.allclose(data.astype(np.float64), array.end.astype(np.float64), array.tolerance, array.tolerance)
    return not np.array_equal(data, array.end)


def one(path, quick, launches):
    """Runs one cubin and prints a line of JSON for each case."""
    facts = json.loads(Path(re.sub(r"\.(plain|delays)\.cubin$", ".json", str(path))).read_text())
    kernel = kernel_of(facts["name"])

    def tell(**what):
        print(json.dumps(what), flush=True)

    if kernel not in CASES:
        return tell(skipped="no case")
    cases = list(CASES[kernel]())
    if quick:
        cases = [c for c in cases if c.grid[0] * c.grid[1] <= 130][-1:] if "rounds" not in cases[0].label else [c for c in cases if c.label in ("3 blocks, 7 rounds",)][-1:]
    label = ""
    try:
        device = Device(TOOL_HANG if quick else HANG)
        function = device.load(path.read_bytes(), facts["entry"])
        if (most := max(c.shared for c in cases)) > 48 * 1024:
            device.call("cuFuncSetAttribute", function, 8, most)
        for number, case in enumerate(cases):
            label = case.label
            prepared = Prepared(device, case)
            last = number == len(cases) - 1
            count = 1 if quick else (launches or MORE.get(kernel, LAUNCHES)) if last else 5
            bad, results, begin = 0, set(), time.monotonic()
            for i in range(count):
                if last and not quick:
                    device.traffic()
                outcome = prepared.once(function, facts["block"], i == 0)
                if outcome is None:
                    tell(case=label, hang=True, launches=i + 1, wrong=bad)
                    os._exit(9)
                bad += any(wrong(*pair) for pair in outcome)
                results.add(hash(tuple(data.tobytes() for _, data in outcome)))
                if time.monotonic() - begin > 25:
                    break
            tell(case=label, launches=i + 1, wrong=bad, distinct=len(results))
    except Failure as failure:
        tell(case=label, error=str(failure))
        os._exit(8)
    os._exit(0)


def files(out, mode):
    return sorted(path for path in out.glob(f"*.{mode}.cubin"))


def start(command, limit):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        return done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired as late:
        return ((late.stdout or b"") + (late.stderr or b"")).decode(errors="replace"), "timeout"


def run_file(job):
    path, launches = job
    more = ["--launches", str(launches)] if launches else []
    text, status = start([sys.executable, __file__, "one", str(path), *more], LIMIT)
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    rest = "" if rows else text[-600:]
    name, mode, _ = path.name.rsplit(".", 2)
    return {"name": name, "mode": mode, "status": status, "rows": rows, "rest": rest}


def tool_file(job):
    path, tool = job
    command = ["compute-sanitizer", "--tool", tool, "--print-limit", "40", "--target-processes", "all"]
    text, status = start(command + [sys.executable, __file__, "one", str(path), "--quick"], LIMIT)
    name = path.name.rsplit(".", 2)[0]
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    said = [line for line in text.splitlines() if line.startswith("=========") and "Host Frame" not in line]
    summary = [line for line in said if "SUMMARY" in line]
    return {
        "name": name, "mode": tool, "status": status, "rows": rows, "summary": summary,
        "report": [line[10:190] for line in said if "Saved host" not in line][1:9], "rest": "" if rows else text[-400:],
    }


def many(out, work, jobs, count, to):
    with concurrent.futures.ThreadPoolExecutor(count) as pool, open(to, "a") as log:
        for result in pool.map(work, jobs):
            log.write(json.dumps(result) + "\n")
            log.flush()


# ---- Tables -------------------------------------------------------------------------------------

def reports(result):
    """The summaries of a tool that are not empty."""
    return [line for line in result.get("summary", []) if not re.search(r" 0 (errors|hazards)", line)]


def seen(results, partner):
    """How the file's defect shows. Results count if launches of one case differ: a twin whose results
    always differ from the host's in the same way may only compute something else. A tool that also
    reports the partner without the defect does not count."""
    found = set()
    for mode in MODES:
        for row in results.get(mode, {}).get("rows", []):
            if row.get("distinct", 1) > 1 or 0 < row.get("wrong", 0) < row.get("launches", 0):
                found.add("results" if mode == "plain" else "results with delays")
            found |= {what for what in ("hang", "error") if what in row}
    return found | {t for t in TOOLS if reports(results.get(t, {})) and not reports(partner.get(t, {}))}


def table(out):
    results = collections.defaultdict(dict)
    for log in ("run.jsonl", "tools.jsonl"):
        if (out / log).exists():
            for line in (out / log).read_text().splitlines():
                result = json.loads(line)
                results[result["name"]][result["mode"]] = result
    counts = collections.defaultdict(collections.Counter)
    for path in sorted(out.glob("*.json")):
        facts = json.loads(path.read_text())
        name = facts["name"]
        partner = name.replace("_defect", "")
        found = seen(results[name], results[partner] if partner != name else {})
        kind = re.split(r"[,.:;]| between", facts["expected"])[0] if partner != name else "without a defect"
        ran = sum(row.get("launches", 0) for mode in MODES for row in results[name].get(mode, {}).get("rows", []))
        wrong_ever = any(row.get("wrong") for mode in MODES for row in results[name].get(mode, {}).get("rows", []))
        counts[kind]["always other results only"] += wrong_ever and not found
        counts[kind].update({"files": 1, "launches": ran, "seen": bool(found), **dict.fromkeys(found, 1)})
        print(f"{name:44} {kind:26} {ran:6} {', '.join(sorted(found))}")
    for kind, counter in counts.items():
        print(f"{kind}: {dict(counter)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("step", choices=["assemble", "run", "tools", "table", "one"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--quick", action="store_true", help="one case, one launch")
    parser.add_argument("--jobs", type=int, default=10)
    parser.add_argument("--launches", type=int, help="of the last case")
    parser.add_argument("--only", default="", help="a regular expression of names")
    options = parser.parse_args()

    def chosen(mode):
        return [path for path in files(options.out, mode) if re.search(options.only, path.name)]

    if options.step == "assemble":
        assemble(options.out, options.ptxas)
    elif options.step == "run":
        jobs = [(path, options.launches) for mode in MODES for path in chosen(mode)]
        many(options.out, run_file, jobs, options.jobs, options.out / "run.jsonl")
    elif options.step == "tools":
        jobs = [(path, tool) for tool in TOOLS for path in chosen("plain")]
        many(options.out, tool_file, jobs, options.jobs, options.out / "tools.jsonl")
    elif options.step == "table":
        table(options.out)
    else:
        one(options.out, options.quick, options.launches)


if __name__ == "__main__":
    main()
