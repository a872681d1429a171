//pass
//--local_size=64 --num_groups=*
// A batch of 512-point complex FFTs, in place: eight values of each work-item in registers, three radix-8
// butterflies, and two transpositions through local memory, real parts first, then imaginary ones.

#define SIN_45 0.70710678118654752440f

float2 cmul(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void fft2(float2 *a, float2 *b)
{
    float2 sum = *a + *b;
    *b = *a - *b;
    *a = sum;
}

void fft4(float2 *a0, float2 *a1, float2 *a2, float2 *a3)
{
    fft2(a0, a2);
    fft2(a1, a3);
    *a3 = (float2)((*a3).y, -(*a3).x);
    fft2(a0, a1);
    fft2(a2, a3);
}

void fft8(float2 *a)
{
    fft2(&a[0], &a[4]);
    fft2(&a[1], &a[5]);
    fft2(&a[2], &a[6]);
    fft2(&a[3], &a[7]);
    a[5] = cmul(a[5], (float2)(SIN_45, -SIN_45));
    a[6] = (float2)(a[6].y, -a[6].x);
    a[7] = cmul(a[7], (float2)(-SIN_45, -SIN_45));
    fft4(&a[0], &a[1], &a[2], &a[3]);
    fft4(&a[4], &a[5], &a[6], &a[7]);
}

void twiddle8(float2 *a, int i, int n)
{
    const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    for (int j = 1; j < 8; j++) {
        float angle = (-2.0f * M_PI_F * (float)reversed[j] / (float)n) * (float)i;
        a[j] = cmul(a[j], (float2)(cos(angle), sin(angle)));
    }
}

__kernel void fft_512(__global float2 *work)
{
    __local float smem[8 * 8 * 9];
    int tid = get_local_id(0);
    int hi = tid >> 3;
    int lo = tid & 7;
    float2 data[8];

    work += get_group_id(0) * 512 + tid;
    for (int i = 0; i < 8; i++) {
        data[i] = work[i * 64];
    }

    fft8(data);
    twiddle8(data, tid, 512);

    for (int i = 0; i < 8; i++) {
        smem[i * 66 + tid] = data[i].x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
        data[i].x = smem[lo * 66 + hi + i * 8]; //~ race
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int i = 0; i < 8; i++) {
        smem[i * 66 + tid] = data[i].y; //~ race
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
        data[i].y = smem[lo * 66 + hi + i * 8];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    fft8(data);
    twiddle8(data, hi, 64);

    for (int i = 0; i < 8; i++) {
        smem[hi * 72 + i * 9 + lo] = data[i].x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
        data[i].x = smem[hi * 72 + lo * 9 + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
        smem[hi * 72 + i * 9 + lo] = data[i].y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
        data[i].y = smem[hi * 72 + lo * 9 + i];
    }

    fft8(data);

    for (int i = 0; i < 8; i++) {
        work[i * 64] = data[i];
    }
}
