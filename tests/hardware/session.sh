#!/bin/sh
# One session on a machine with a GPU, for the tests through memory, the witnesses of mbarriers and
# those of tests/synchronisation/.
#
#     tests/hardware/session.sh prepare DIR LOCKSTEP    # nvcc, no GPU
#     tests/hardware/session.sh run DIR OUT             # nvcc, compute-sanitizer and a GPU
#
# `prepare` writes all programs into DIR, with this script. The environment variable NVCC may hold
# flags, and JOBS says how many compilers run at a time. `run` writes logs and results into OUT, in
# about 480 seconds; each test has a time limit of its own.
set -u
tests="message_sides spin_lock ticket_lock leaders last_of_four grid_counter flag_chain
release_sequence"
defects="acquire release early too_early late barrier barrier_before barrier_behind fence_late order
writers readers scope other_value one_bin one_too_far off_by_one always given_back_twice other_lock"
sets="defects twins controls sync_defects sync_twins sync_controls"

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
    kernels=$(for defect in $defects; do ls tests/synchronisation/*_defect_"$defect".cu; done)
    $rerun generate "$1/sync_defects" --wide --lockstep "$2" $kernels
    $rerun generate "$1/sync_twins" --twins --lockstep "$2" \
        $(for kernel in $kernels; do echo "${kernel%%_defect*}.cu"; done | sort -u)
    $rerun generate "$1/sync_controls" --controls --wide --lockstep "$2" $kernels
    for set in $sets; do
        $rerun compile "$1/$set" --jobs "${JOBS:-2}" --nvcc "$nvcc"
    done
    cd "$1" || exit 1
    strip */bin/*
    XZ_OPT=-9 tar cJf programs.tar.xz */bin */manifest.json
    rm -r $sets
}

litmus() { # NAME SECONDS-OF-EACH LIMIT
    timeout "$3" ./litmus "$1" 100000 "$2" 2>&1
    echo "$1: status $?"
}

rerun() { # SET LIMIT FLAGS...
    set=$1 limit=$2
    shift 2
    timeout "$limit" python3 rerun.py run "$set" --limit 20 --seconds $((limit - 15)) \
        --no-debug "$@"
}

run() {
    out=$(realpath "$2")
    cd "$1" || exit 1
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    litmus release_sequence 0 40 > "$out/first.log"
    grep -q 'runs;' "$out/first.log" || exit 1
    for test in $tests; do litmus "$test" 1 60; done > "$out/alone.log"
    python3 -c 'import tarfile; tarfile.open("programs.tar.xz").extractall()'
    rerun defects 75 --jobs 12
    rerun twins 45 --jobs 12
    rerun controls 25 --jobs 12
    rerun sync_defects 50 --jobs 12
    rerun sync_controls 45 --jobs 12
    rerun sync_defects 65 --jobs 8 --stress 2
    rerun sync_controls 65 --jobs 8 --stress 2
    rerun defects 25 --jobs 8 --stress 3 --only 'examples_|library'
    rerun controls 20 --jobs 8 --stress 3
    tar czf "$out/sets.tgz" */logs */*.json
    for test in $tests; do litmus "$test" 2 75 > "/tmp/$test.log" & done
    wait
    for test in $tests; do cat "/tmp/$test.log"; done > "$out/together.log"
    rerun sync_twins 45 --jobs 12
    tar czf "$out/sets.tgz" */logs */*.json
    cat "$out/alone.log"
}

"$@"
