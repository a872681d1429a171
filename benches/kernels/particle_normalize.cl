//pass
//--local_size=* --num_groups=* --assume 'nparticles > 0'
// Particle filter: weights are divided by their sum, which one work-item of each group fetches. The seeded
// mistake sums them up in the same launch, behind a barrier that orders one group only.

__kernel void normalize_weights(__global float *weights, int nparticles, __global const float *partial_sums,
                                __global float *cdf, __global float *u, __global const float *random)
{
    __local float u1;
    __local float sum_weights;
    int global_id = get_global_id(0);
    int local_id = get_local_id(0);

    if (local_id == 0) {
        sum_weights = partial_sums[0];
        u1 = random[0] / (float)nparticles;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (global_id < nparticles) {
        weights[global_id] = weights[global_id] / sum_weights; //~ race first rest
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

#ifdef DEFECT
    if (global_id == 0) {
        cdf[0] = weights[0]; //~ race first
        for (int x = 1; x < nparticles; x++) {
            cdf[x] = weights[x] + cdf[x - 1]; //~ race rest
        }
    }
#endif
    if (global_id < nparticles) {
        u[global_id] = u1 + global_id / (float)nparticles;
    }
}
