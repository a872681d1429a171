//unknown
//--local_size=* --num_groups=* --no-infer --timeout=4
// Sizes that are left open are among what may be said.
//reason: help: 
//reason: sizes (--local_size, --num_groups)

__kernel void open_sizes(__global int *out, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = i + get_local_id(0);
}
