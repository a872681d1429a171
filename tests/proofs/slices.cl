//pass
//--local_size=64 --num_groups=8
// Each thread has a slice of 12 cells.

__kernel void slices(__global int *out)
{
    int id = get_global_id(0);
    for (int i = id * 12; i < (id + 1) * 12; i++) {
        out[i] = id;
    }
}
