//pass
//--local_size=64 --num_groups=2
// Each thread fills its row up to the diagonal.
// needs hit-facts

__kernel void triangle(__global float *out, int n)
{
    int row = get_global_id(0);
    for (int column = 0; column <= row; column++) {
        out[row * 128 + column] = row - column;
    }
}
