//pass
//--local_size=192 --num_groups=* --assume 'dim >= 0'
// Sparse matrix times vector, jagged diagonals: rows sorted by length, the lengths per 32 rows in a table; the
// result stays in sorted order.

__kernel void spmv_jds(__global float *dst_vector, __global const float *d_data, __global const int *d_index,
                       __global const float *x_vec, const int dim, __constant int *jds_ptr_int,
                       __constant int *sh_zcnt_int)
{
    int ix = get_global_id(0);
    if (ix < dim) {
        float sum = 0.0f;
        int bound = sh_zcnt_int[ix / 32];
        for (int k = 0; k < bound; k++) {
            int j = jds_ptr_int[k] + ix;
            int in = d_index[j];
            float d = d_data[j];
            float t = x_vec[in];
            sum += d * t;
        }
#ifdef DEFECT
        dst_vector[d_index[ix]] = sum; //~ race
#else
        dst_vector[ix] = sum;
#endif
    }
}
