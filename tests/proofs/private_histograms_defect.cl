//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// As private_histograms.cl, but there is no barrier between counting and adding.

__kernel void private_histograms_defect(__global const uint *data, __global uint *out, int n)
{
    __local uint counts[32 * 64];
    int lid = get_local_id(0);
    for (int bin = 0; bin < 32; bin++) {
        counts[bin * 64 + lid] = 0; //~ race a
    }
    for (int i = get_global_id(0); i < n; i += 512) {
        counts[(data[i] & 31) * 64 + lid]++; //~ race b
    }
    for (int bin = lid; bin < 32; bin += 64) {
        uint sum = 0;
        for (int j = 0; j < 64; j++) {
            sum += counts[bin * 64 + j]; //~ race a b
        }
        out[get_group_id(0) * 32 + bin] = sum;
    }
}
