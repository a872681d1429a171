//unknown
//--local_size=64 --num_groups=2 --no-infer
// No number times itself is this one, which inference does not know: it takes any number for the product.
//reason: not proved for threads of
//reason: no race on `out`
//reason: lost invariant of the loop at
//reason: how it was lost: it does not hold before the loop at

__kernel void lost_before_the_loop(__global int *out, uint n, uint f) {
    uint at = f * f;
    for (uint i = 0; __candidate_invariant(at != 987654323u), i < n; i++) {
        if (at == 987654323u)
            out[0] = get_global_id(0);
        else
            out[get_global_id(0)] = i;
        if (i == 77777)
            at = (f + i) * (f + i);
    }
}
