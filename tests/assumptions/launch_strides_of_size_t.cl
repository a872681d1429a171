//pass
//--local_size=* --num_groups=*
// assumes: loop counters that advance by sizes of the launch do not wrap (--wrapping-strides) (line 9)
// otherwise verified: --local_size=64 --num_groups=8 --kernel-args=scale,100
// A sum of 64 bits is cut to the 32 of the counter. With n = 2^32 - 1 and 2^32 - 4 threads, a
// thread comes to an element of another one again.

__kernel void scale(__global float *a, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        a[i] *= 2;
}
