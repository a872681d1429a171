//unknown
//--local_size=64 --num_groups=2
// What is not supported is named with its line.
//reason: sub_group_barrier
//reason: refused_by_line.cl:8

__kernel void refused_by_line(__global int *out) {
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
