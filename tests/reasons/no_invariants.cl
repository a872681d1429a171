//unknown
//--local_size=64 --num_groups=2 --no-infer --timeout=4
// Without candidates there is nothing to lose.
//reason: not proved for threads of
//reason: no race on `out` between the write at
//reason: the accesses: out[i]
//reason: no loop invariants were proposed
//reason: an __invariant of the loop at

__kernel void no_invariants(__global int *out, int n) {
    for (int i = get_global_id(0); i < n; i += 128)
        out[i] = i + get_local_id(0);
}
