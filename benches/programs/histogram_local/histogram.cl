// program: 256 bins of a byte array: histograms of groups in local memory, then a merge
// defect: partial_histograms: race: the bins of a group are incremented without an atomic operation
#define BINS 256

__kernel void partial_histograms(__global const uchar4 *data, __global uint *partial, uint quads)
{
    __local uint bins[BINS];
    for (uint b = get_local_id(0); b < BINS; b += get_local_size(0))
        bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < quads; i += get_global_size(0)) {
        uchar4 q = data[i];
#ifdef DEFECT
        bins[q.x]++; //~ race
        bins[q.y]++; //~ race
        bins[q.z]++; //~ race
        bins[q.w]++; //~ race
#else
        atomic_inc(&bins[q.x]);
        atomic_inc(&bins[q.y]);
        atomic_inc(&bins[q.z]);
        atomic_inc(&bins[q.w]);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < BINS; b += get_local_size(0))
        partial[get_group_id(0) * BINS + b] = bins[b];
}

__kernel void merge_histograms(__global const uint *partial, __global uint *result, uint groups)
{
    uint bin = get_global_id(0);
    uint sum = 0;
    for (uint g = 0; g < groups; g++)
        sum += partial[g * BINS + bin];
    result[bin] = sum;
}
