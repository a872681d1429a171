//pass
//--local_size=64 --num_groups=8
// Each thread counts in its own column of local memory, then the columns are added up into the group's slice.
// needs predicate-facts

__kernel void private_histograms(__global const uint *data, __global uint *out, int n)
{
    __local uint counts[32 * 64];
    int lid = get_local_id(0);
    for (int bin = 0; bin < 32; bin++) {
        counts[bin * 64 + lid] = 0;
    }
    for (int i = get_global_id(0); i < n; i += 512) {
        counts[(data[i] & 31) * 64 + lid]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int bin = lid; bin < 32; bin += 64) {
        uint sum = 0;
        for (int j = 0; j < 64; j++) {
            sum += counts[bin * 64 + j];
        }
        out[get_group_id(0) * 32 + bin] = sum;
    }
}
