//pass
//--local_size=256 --num_groups=* --assume 'npoints > 0 && nfeatures > 0'
// k-means, preparation: the rows of features become columns, a row to each work-item.

__kernel void kmeans_swap(__global const float *feature, __global float *feature_swap, int npoints, int nfeatures)
{
    unsigned int tid = get_global_id(0);
#ifdef DEFECT
    if (tid <= npoints) {
#else
    if (tid < npoints) {
#endif
        for (int i = 0; i < nfeatures; i++) {
            feature_swap[i * npoints + tid] = feature[tid * nfeatures + i]; //~ race
        }
    }
}
