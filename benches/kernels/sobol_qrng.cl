//pass
//--local_size=[64,1] --num_groups=[*,*] --assume 'n_vectors > 0 && n_vectors <= 1048576 && n_dimensions <= 1024'
// Sobol's quasi-random numbers: a row of groups for each dimension, whose direction numbers lie in local
// memory; the exclusive or of those that the Gray code of the index selects.

#define N_DIRECTIONS 32

__kernel void sobol_qrng(uint n_vectors, uint n_dimensions, __global const uint *d_directions, __global float *d_output)
{
    __local uint v[N_DIRECTIONS];
    uint dimension = get_group_id(1);
    if (dimension >= n_dimensions) {
        return;
    }
    if (get_local_id(0) < N_DIRECTIONS) {
        v[get_local_id(0)] = d_directions[dimension * N_DIRECTIONS + get_local_id(0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uint stride = get_global_size(0);
    for (uint i = get_global_id(0); i < n_vectors; i += stride) {
        uint gray = i ^ (i >> 1);
        uint x = 0;
        for (uint k = 0; k < N_DIRECTIONS; k++) {
            if (gray & (1U << k)) {
                x ^= v[k];
            }
        }
#ifdef DEFECT
        d_output[dimension * n_dimensions + i] = (float)x * 2.3283064e-10f; //~ race
#else
        d_output[dimension * n_vectors + i] = (float)x * 2.3283064e-10f;
#endif
    }
}
