//pass
//--local_size=256 --num_groups=* --assume 'width > 0 && height > 0 && channels > 0'
// Local response normalisation across channels: a work-item takes pixels of the batch apart by / and %, and walks along
// their channels with a running sum of squares. Every size is open.

#define WINDOW 5

__kernel void lrn_channels(const int pixels, __global const float *in, __global float *out, const int channels,
                           const int height, const int width, const float alpha, const float beta)
{
    for (int index = get_global_id(0); index < pixels; index += get_global_size(0)) {
        const int w = index % width;
        const int h = index / width % height;
        const int n = index / width / height;
        const int step = height * width;
#ifdef DEFECT
        const int offset = (n * (channels - 1) * height + h) * width + w;
#else
        const int offset = (n * channels * height + h) * width + w;
#endif
        float sum = 0;
        for (int c = 0; c < channels; c++) {
            const float x = in[offset + c * step];
            const float old = c < WINDOW ? 0 : in[offset + (c - WINDOW) * step];
            sum += x * x - old * old;
            out[offset + c * step] = x * pow(1 + alpha / WINDOW * sum, -beta); //~ race a
        }
    }
}
