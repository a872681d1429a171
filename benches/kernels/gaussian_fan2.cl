//pass
//--local_size=16,16 --num_groups=*,* --assume 't >= 0 && t < size'
// Gaussian elimination, step t: rows below the pivot are updated in place, and the right-hand side by the first column
// of work-items.

__kernel void fan2(__global const float *m_dev, __global float *a_dev, __global float *b_dev, int size, int t)
{
    int global_idx = get_global_id(0);
    int global_idy = get_global_id(1);

    if (global_idx < size - 1 - t && global_idy < size - t) {
        float multiplier = m_dev[size * (global_idx + 1 + t) + t];
        a_dev[size * (global_idx + 1 + t) + (global_idy + t)] -= multiplier * a_dev[size * t + (global_idy + t)];
#ifdef DEFECT
        b_dev[global_idx + 1 + t] -= multiplier * b_dev[t]; //~ race
#else
        if (global_idy == 0)
            b_dev[global_idx + 1 + t] -= multiplier * b_dev[t];
#endif
    }
}
