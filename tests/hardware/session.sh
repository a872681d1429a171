#!/bin/sh
# One session on a machine with a GPU, for the tests through memory and the witnesses of mbarriers.
#
#     tests/hardware/session.sh prepare DIR LOCKSTEP    # nvcc, no GPU
#     tests/hardware/session.sh run DIR OUT             # nvcc, compute-sanitizer and a GPU
#
# `prepare` writes all programs into DIR, with this script. The environment variable NVCC may hold
# flags. `run` writes logs and results into OUT; each test has a time limit of its own.
set -u
tests="message_sides spin_lock ticket_lock leaders last_of_four grid_counter flag_chain
release_sequence"

prepare() {
    nvcc=${NVCC:-nvcc}
    mkdir -p "$1"
    $nvcc -arch=sm_90 -std=c++17 tests/hardware/litmus.cu -o "$1/litmus"
    cp tests/hardware/rerun.py tests/hardware/session.sh "$1"
    rerun="python3 tests/hardware/rerun.py"
    $rerun generate "$1/defects" --lockstep "$2" examples/mbarrier*_defect.cu \
        examples/cuda_barrier*_defect.cu \
        $(grep -l '^//xfail' tests/attacks/mbarrier_*.cu tests/attacks/library_cuda_barrier*.cu)
    $rerun generate "$1/twins" --twins --lockstep "$2" examples/mbarrier_ring.cu \
        examples/mbarrier_elected.cu examples/cuda_barrier_ring.cu examples/cuda_barrier_split.cu \
        $(grep -l '^//pass' tests/attacks/mbarrier_*.cu tests/attacks/library_cuda_barrier*.cu)
    $rerun generate "$1/controls" --controls --lockstep "$2" examples/mbarrier*_defect.cu \
        examples/cuda_barrier*_defect.cu
    for set in defects twins controls; do
        $rerun compile "$1/$set" --nvcc "$nvcc"
    done
    cd "$1" || exit 1
    strip defects/bin/* twins/bin/* controls/bin/*
    tar cJf programs.tar.xz */bin */manifest.json
    rm -r defects twins controls
}

litmus() { # NAME SECONDS-OF-EACH LIMIT
    timeout "$3" ./litmus "$1" 100000 "$2" 2>&1
    echo "$1: status $?"
}

rerun() { # SET LIMIT FLAGS...
    set=$1 limit=$2
    shift 2
    timeout "$limit" python3 rerun.py run "$set" --limit 20 --seconds $((limit - 15)) "$@"
}

run() {
    out=$(realpath "$2")
    cd "$1" || exit 1
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    for test in $tests; do litmus "$test" 0 25; done > "$out/first.log"
    grep -q 'runs;' "$out/first.log" || exit 1
    for test in $tests; do litmus "$test" 1.2 60; done > "$out/alone.log"
    python3 -c 'import tarfile; tarfile.open("programs.tar.xz").extractall()'
    rerun defects 85 --jobs 12 --no-debug
    rerun twins 55 --jobs 12
    rerun controls 40 --jobs 12
    rerun defects 40 --jobs 8 --stress 3 --only 'examples_|library'
    rerun controls 40 --jobs 8 --stress 3
    for set in defects twins controls; do
        (cd "$set" && tar czf "$out/$set.tgz" logs ./*.json)
    done
    for test in $tests; do litmus "$test" 2 75 > "/tmp/$test.log" & done
    wait
    for test in $tests; do cat "/tmp/$test.log"; done > "$out/together.log"
    cat "$out/alone.log"
}

"$@"
