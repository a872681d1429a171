//pass
//--local_size=* --num_groups=* --assume 't >= 0 && t < size'
// Gaussian elimination, the multipliers of step t: a work-item per row below the pivot.

__kernel void fan1(__global float *m_dev, __global const float *a_dev, int size, int t)
{
    int global_id = get_global_id(0);

#ifdef DEFECT
    if (global_id < size + t)
        m_dev[global_id % size * size + t] = a_dev[size * (global_id + t + 1) + t] / a_dev[size * t + t]; //~ race
#else
    if (global_id < size - 1 - t)
        m_dev[size * (global_id + t + 1) + t] = a_dev[size * (global_id + t + 1) + t] / a_dev[size * t + t];
#endif
}
