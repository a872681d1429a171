//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As slices_of_rest.cl, but slices overlap.

__kernel void slices_of_rest_defect(__global int *out, int n)
{
    int chunk = (n + 63) / 64;
    int first = get_local_id(0) * chunk;
    int end = min(first + chunk + 1, n);
    for (int i = first; i < end; i++) {
        out[i] = get_local_id(0); //~ race
    }
}
