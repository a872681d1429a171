//pass
//--local_size=* --num_groups=* --assume 'width > 0 && height >= 0'
// A recursive Gaussian along the columns of an image: forwards into the output, then backwards, adding to it.

__kernel void recursive_gaussian(__global const float4 *input, __global float4 *output, const int width,
                                 const int height, const float a0, const float a1, const float a2, const float a3,
                                 const float b1, const float b2, const float coefp, const float coefn)
{
    int x = get_global_id(0);
    if (x >= width) {
        return;
    }
    float4 xp = input[x];
    float4 yb = xp * coefp;
    float4 yp = yb;
    for (int y = 0; y < height; y++) {
        int pos = x + y * width;
        float4 xc = input[pos];
        float4 yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
        output[pos] = yc; //~ race ww
        xp = xc;
        yb = yp;
        yp = yc;
    }

    float4 xn = (float4)(0.0f);
    float4 xa = xn;
    float4 yn = xn;
    float4 ya = xn;
    for (int y = height - 1; y > -1; y--) {
#ifdef DEFECT
        int pos = x + 1 + y * width;
#else
        int pos = x + y * width;
#endif
        float4 xc = input[pos];
        float4 yc = a2 * xn + a3 * xa - b1 * yn - b2 * ya;
        xa = xn;
        xn = xc;
        ya = yn;
        yn = yc;
        output[pos] = output[pos] + yc; //~ race ww self
    }
}
