//unknown
//--local_size=64 --num_groups=2 --no-infer
// The suggestion holds after the first iteration only.
//reason: not proved for threads of a group: the assertion at
//reason: lost invariant of the loop at
//reason: how it was lost: it does not hold: an execution falsifies it at the head of the loop at

__kernel void falsified(__global int *out, int n, int from) {
    int at = from;
    for (int i = 0; __candidate_invariant(at == (int)get_global_id(0)), i < n; i++) {
        if (i > 0)
            __assert(at == (int)get_global_id(0));
        at = get_global_id(0);
    }
    out[get_global_id(0)] = at;
}
