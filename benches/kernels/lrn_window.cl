//pass
//--local_size=512 --num_groups=*
// Local response normalisation of images of 25 x 27 pixels with 16 channels: the sum runs two channels ahead of the
// result.

#define CHANNELS 16
#define HEIGHT 27
#define WIDTH 25
#define SIZE 5
#define PAD 2

__kernel void lrn_window(const int pixels, __global const float *in, __global float *out, const float alpha)
{
    for (int index = get_global_id(0); index < pixels; index += get_global_size(0)) {
        const int w = index % WIDTH;
        const int h = index / WIDTH % HEIGHT;
        const int n = index / WIDTH / HEIGHT;
        const int offset = (n * CHANNELS * HEIGHT + h) * WIDTH + w;
        float sum = 0;
#ifdef DEFECT
        for (int head = 0; head <= CHANNELS + PAD; head++) {
#else
        for (int head = 0; head < CHANNELS + PAD; head++) {
#endif
            if (head < CHANNELS)
                sum += in[offset + head * HEIGHT * WIDTH] * in[offset + head * HEIGHT * WIDTH];
            if (head >= SIZE)
                sum -= in[offset + (head - SIZE) * HEIGHT * WIDTH] * in[offset + (head - SIZE) * HEIGHT * WIDTH];
            if (head >= PAD) {
                const int c = head - PAD;
                out[offset + c * HEIGHT * WIDTH] = in[offset + c * HEIGHT * WIDTH] / (1 + alpha * sum); //~ race a
            }
        }
    }
}
