//pass
//--local_size=16x16 --num_groups=4x4
// Channels and images of a convolution: loops four deep around an access that is private to a thread.

__kernel void four_deep(__global const float *in, __global const float *weights, __global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    for (int image = 0; image < 10; image++) {
        for (int channel = 0; channel < 7; channel++) {
            float sum = 0;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    sum += in[((image * 7 + channel) * 66 + y + i) * 66 + x + j] * weights[channel * 9 + i * 3 + j];
                }
            }
            out[((image * 7 + channel) * 64 + y) * 64 + x] = sum;
        }
    }
}
