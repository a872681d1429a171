//unknown
//--local_size=64 --num_groups=2
// A proof about nothing is none.
//reason: nothing would be proved: the end of the kernel cannot be reached

__kernel void never_ends(__global int *out) {
    for (;;)
        out[get_global_id(0)] = 1;
}
