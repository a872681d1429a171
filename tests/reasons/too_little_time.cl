//unknown
//--local_size=64 --num_groups=2 --no-infer --timeout=0.02
// Either the clock or the effort that stands for the time ends it.
//reason: 0.02 s
//reason: help: a longer --timeout

__kernel void too_little_time(__global int *out, int n) {
    for (int i = get_global_id(0); i < n; i += 128)
        out[i] = i + get_local_id(0);
}
