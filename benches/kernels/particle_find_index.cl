//pass
//--local_size=* --num_groups=* --assume 'nparticles > 0'
// Particle filter: each new particle looks up, in the cumulated weights, which old one it continues.

__kernel void find_index(__global const float *array_x, __global const float *array_y, __global const float *cdf,
                         __global const float *u, __global float *xj, __global float *yj, int nparticles)
{
    int i = get_global_id(0);
    if (i < nparticles) {
        int index = -1;
        for (int x = 0; x < nparticles; x++) {
            if (cdf[x] >= u[i]) {
                index = x;
                break;
            }
        }
        if (index == -1) {
            index = nparticles - 1;
        }
#ifdef DEFECT
        xj[index] = array_x[i]; //~ race x
        yj[index] = array_y[i]; //~ race y
#else
        xj[i] = array_x[index];
        yj[i] = array_y[index];
#endif
    }
}
