//xfail:NOT_ALL_VERIFIED
//--local_size=8x8 --num_groups=4x4
// As four_deep_writes.cl, but rows overlap.

__kernel void four_deep_writes_defect(__global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    for (int image = 0; image < 10; image++) {
        for (int channel = 0; channel < 7; channel++) {
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 5; j++) {
                    out[((image * 7 + channel) * 96 + 2 * y + i) * 160 + 5 * x + j] = i + j; //~ race
                }
            }
        }
    }
}
