//pass
//--local_size=256 --num_groups=* --assume 'd_ne > 0'
// srad, first kernel: the image is scaled and its logarithm undone, in place, with the index split off group by group.

#define NUMBER_THREADS 256

__kernel void extract_kernel(int d_ne, __global float *d_i)
{
    int bx = get_group_id(0);
    int tx = get_local_id(0);
#ifdef DEFECT
    int ei = bx * (NUMBER_THREADS - 1) + tx;
#else
    int ei = bx * NUMBER_THREADS + tx;
#endif

    if (ei < d_ne)
        d_i[ei] = exp(d_i[ei] / 255.0f); //~ race
}
