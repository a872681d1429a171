//pass
//--local_size=64 --num_groups=4 --check-arrays=out

// On one array there are races, but it is the other that is asked about.
__kernel void check_arrays(__global int *out, __global int *count)
{
    count[0] = get_global_id(0);
    out[get_global_id(0)] = 1;
    __assert(__no_write(count));
}
