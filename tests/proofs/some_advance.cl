//pass
//--local_size=64 --num_groups=4 --without equations
// Each thread packs what it finds into its own slice: only some advance in an iteration. (Equations decide this one without
// the family.)
// needs recurrences
// needs counter

__kernel void some_advance(__global int *out, __global const int *in)
{
    int id = get_global_id(0);
    int count = 0;
    for (int i = 0; i < 24; i++) {
        if (in[id * 24 + i] > 0) {
            out[id * 24 + count] = i;
            count++;
        }
    }
}
