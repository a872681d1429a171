//unknown
//--local_size=64 --num_groups=2 --no-infer --timeout=4
// Of what is suggested the second part holds, but does not follow from itself; what is said of the write falls with it.
//reason: no race on `out`
//reason: lost_in_an_iteration.cl:17
//reason: the accesses: out[i]
//reason: lost invariant of the loop at
//reason: that, with 
//reason: how it was lost: it is not kept by an iteration of the loop at
//reason: , because of line

__kernel void lost_in_an_iteration(__global int *out, uint n) {
    uint j = 0;
    for (uint i = get_global_id(0);
         __candidate_invariant(__write_implies(out, (__write_offset_bytes(out) / 4) % 128 == get_global_id(0))),
         __candidate_invariant((i % 128 == get_global_id(0)) & (j != 1234567)), i < n; i += 128) {
        out[i] = get_local_id(0);
        j += 3;
    }
}
