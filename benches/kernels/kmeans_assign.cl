//pass
//--local_size=256 --num_groups=* --assume 'npoints > 0 && nfeatures > 0 && nclusters > 0'
// k-means, assignment: every point looks for the nearest of the clusters; the features are transposed so that
// neighbouring work-items read neighbouring values.

__kernel void kmeans_assign(__global const float *feature, __global const float *clusters, __global int *membership,
                            int npoints, int nclusters, int nfeatures)
{
    unsigned int point_id = get_global_id(0);
    int index = 0;

    if (point_id < npoints) {
        float min_dist = FLT_MAX;
        for (int i = 0; i < nclusters; i++) {
            float ans = 0;
            for (int l = 0; l < nfeatures; l++) {
                float difference = feature[l * npoints + point_id] - clusters[i * nfeatures + l];
                ans += difference * difference;
            }
            if (ans < min_dist) {
                min_dist = ans;
                index = i;
            }
        }
#ifdef DEFECT
        membership[index] = point_id; //~ race
#else
        membership[point_id] = index;
#endif
    }
}
