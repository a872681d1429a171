//pass
//--local_size=256 --num_groups=* --assume 'num > 0 && dim > 0 && dim <= 256 && k >= 0'
// Clustering of a stream of points: what each point would gain from a new centre, whose coordinates lie in
// local memory; the gains of the other centres in a table with a column for each point.

typedef struct {
    float weight;
    int assign;
    float cost;
} Point_Struct;

__kernel void pgain(__global const Point_Struct *p, __global const float *coord_d, __global float *work_mem_d,
                    __global const int *center_table_d, __global char *switch_membership_d, __local float *coord_s,
                    int num, int dim, int x, int k)
{
    const int thread_id = get_global_id(0);
    const int local_id = get_local_id(0);

    for (int i = local_id; i < dim; i += get_local_size(0)) {
        coord_s[i] = coord_d[i * num + x]; //~ race
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    if (thread_id < num) {
        float x_cost = 0.0f;
        for (int i = 0; i < dim; i++) {
            float d = coord_d[i * num + thread_id] - coord_s[i]; //~ race
            x_cost += d * d;
        }
        x_cost *= p[thread_id].weight;
        float current_cost = p[thread_id].cost;
        if (x_cost < current_cost) {
            switch_membership_d[thread_id] = 1;
            work_mem_d[k * num + thread_id] = x_cost - current_cost;
        } else {
            int assign = p[thread_id].assign;
            work_mem_d[center_table_d[assign] * num + thread_id] += current_cost - x_cost;
        }
    }
}
