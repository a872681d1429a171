//pass
//--local_size=256 --num_groups=* --assume 'd_no > 0 && d_mul > 0 && blocks == get_num_groups(0) && blocks * 256 >= d_no && blocks * 256 < d_no + 256'
// srad, reduction of sums and sums of squares: full groups add up in a tree whose index is tested by a remainder; in the last
// group, which may be short, the largest power of two comes first and a single work-item adds the rest.

#define NUMBER_THREADS 256

__kernel void reduce_kernel(int d_no, int d_mul, __global float *d_sums, __global float *d_sums2, int blocks)
{
    __local float d_psum[NUMBER_THREADS];
    __local float d_psum2[NUMBER_THREADS];
    int bx = get_group_id(0);
    int tx = get_local_id(0);
    int ei = bx * NUMBER_THREADS + tx;
    int nf = NUMBER_THREADS - (blocks * NUMBER_THREADS - d_no);
    int df = 0;

    if (ei < d_no) {
        d_psum[tx] = d_sums[ei * d_mul];
        d_psum2[tx] = d_sums2[ei * d_mul];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    if (nf == NUMBER_THREADS) {
        for (int i = 2; i <= NUMBER_THREADS; i = 2 * i) {
            if ((tx + 1) % i == 0) {
                d_psum[tx] = d_psum[tx] + d_psum[tx - i / 2];
                d_psum2[tx] = d_psum2[tx] + d_psum2[tx - i / 2];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (tx == NUMBER_THREADS - 1) {
            d_sums[bx * d_mul * NUMBER_THREADS] = d_psum[tx];
            d_sums2[bx * d_mul * NUMBER_THREADS] = d_psum2[tx];
        }
    } else {
        if (bx != blocks - 1) {
            for (int i = 2; i <= NUMBER_THREADS; i = 2 * i) {
                if ((tx + 1) % i == 0) {
                    d_psum[tx] = d_psum[tx] + d_psum[tx - i / 2];
                    d_psum2[tx] = d_psum2[tx] + d_psum2[tx - i / 2];
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (tx == NUMBER_THREADS - 1) {
                d_sums[bx * d_mul * NUMBER_THREADS] = d_psum[tx];
                d_sums2[bx * d_mul * NUMBER_THREADS] = d_psum2[tx];
            }
        } else {
            for (int i = 2; i <= NUMBER_THREADS; i = 2 * i) {
                if (nf >= i)
                    df = i;
            }
            for (int i = 2; i <= df; i = 2 * i) {
                if ((tx + 1) % i == 0 && tx < df) {
                    d_psum[tx] = d_psum[tx] + d_psum[tx - i / 2];
                    d_psum2[tx] = d_psum2[tx] + d_psum2[tx - i / 2];
                }
#ifdef DEFECT
                if (tx < df)
#endif
                barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
            }
            if (tx == df - 1) {
                for (int i = bx * NUMBER_THREADS + df; i < bx * NUMBER_THREADS + nf; i++) {
                    d_psum[tx] = d_psum[tx] + d_sums[i * d_mul];
                    d_psum2[tx] = d_psum2[tx] + d_sums2[i * d_mul];
                }
                d_sums[bx * d_mul * NUMBER_THREADS] = d_psum[tx];
                d_sums2[bx * d_mul * NUMBER_THREADS] = d_psum2[tx];
            }
        }
    }
}
