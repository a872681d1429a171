//pass
//--local_size=64 --num_groups=*
// Uniform noise on an image: each work-item shuffles the values of a congruential generator with a table of
// sixteen numbers of its own in local memory.

#define NTAB 16
#define IA 16807
#define IM 2147483647
#define IQ 127773
#define IR 2836

float ran1(int idum, __local int *table)
{
    int lid = get_local_id(0);
    int iy = 0;
    for (int j = NTAB; j >= 0; j--) {
        int k = idum / IQ;
        idum = IA * (idum - k * IQ) - IR * k;
        if (idum < 0) {
            idum += IM;
        }
        if (j < NTAB) {
            table[NTAB * lid + j] = idum; //~ race w0 w1
        }
    }
    iy = table[NTAB * lid]; //~ race w4
    int k = idum / IQ;
    idum = IA * (idum - k * IQ) - IR * k;
    if (idum < 0) {
        idum += IM;
    }
#ifdef DEFECT
    int j = (iy >> 20) & (2 * NTAB - 1);
#else
    int j = (iy >> 20) & (NTAB - 1);
#endif
    iy = table[NTAB * lid + j]; //~ race w0 w2
    table[NTAB * lid + j] = idum; //~ race w1 w2 w3 w4
    return (1.0f / IM) * iy;
}

__kernel void noise_uniform(__global const uchar4 *input_image, __global uchar4 *output_image, int factor)
{
    __local int table[NTAB * 64 + NTAB];
    int pos = get_global_id(0);
    float4 pixel = convert_float4(input_image[pos]);
    float average = (pixel.x + pixel.y + pixel.z + pixel.w) / 4.0f;
    float deviate = (0.55f - ran1(-(int)average, table)) * factor;
    output_image[pos] = convert_uchar4_sat(pixel + (float4)(deviate));
}
