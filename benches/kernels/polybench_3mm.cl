//pass
//--local_size=16,16 --num_groups=*,*
// Third product of 3mm with symbolic sizes: G := E * F, a grid of any size strides over the tiles, and register tiles
// of two by two are unrolled.

__kernel void mm3_kernel2(__global float *G, __global const float *E, __global const float *F, int ni, int nj, int nl)
{
    int b0 = get_group_id(1), b1 = get_group_id(0);
    int t0 = get_local_id(1), t1 = get_local_id(0);
    int g0 = get_num_groups(1), g1 = get_num_groups(0);
    __local float shared_E[32][33];
    __local float shared_F[32][33];

    for (int c0 = 32 * b0; c0 < ni; c0 += 32 * g0) {
        for (int c1 = 32 * b1; c1 < nl; c1 += 32 * g1) {
            float acc00 = 0.0f, acc01 = 0.0f, acc10 = 0.0f, acc11 = 0.0f;
            for (int c2 = 0; c2 < nj; c2 += 32) {
                for (int c3 = t0; c3 < 32; c3 += 16) {
                    for (int c4 = t1; c4 < 32; c4 += 16) {
                        shared_E[c3][c4] = (c0 + c3 < ni && c2 + c4 < nj) ? E[(c0 + c3) * nj + c2 + c4] : 0.0f; //~ race e1 e2 e3 e4
                        shared_F[c3][c4] = (c2 + c3 < nj && c1 + c4 < nl) ? F[(c2 + c3) * nl + c1 + c4] : 0.0f; //~ race f1 f2 f3 f4
                    }
                }
#ifndef DEFECT
                barrier(CLK_LOCAL_MEM_FENCE);
#endif
                for (int c3 = 0; c3 < 32; c3 += 1) {
                    acc00 += shared_E[t0][c3] * shared_F[c3][t1]; //~ race e1 f1
                    acc01 += shared_E[t0][c3] * shared_F[c3][t1 + 16]; //~ race e2 f2
                    acc10 += shared_E[t0 + 16][c3] * shared_F[c3][t1]; //~ race e3 f3
                    acc11 += shared_E[t0 + 16][c3] * shared_F[c3][t1 + 16]; //~ race e4 f4
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (c0 + t0 < ni && c1 + t1 < nl)
                G[(c0 + t0) * nl + c1 + t1] = acc00;
            if (c0 + t0 < ni && c1 + t1 + 16 < nl)
                G[(c0 + t0) * nl + c1 + t1 + 16] = acc01;
            if (c0 + t0 + 16 < ni && c1 + t1 < nl)
                G[(c0 + t0 + 16) * nl + c1 + t1] = acc10;
            if (c0 + t0 + 16 < ni && c1 + t1 + 16 < nl)
                G[(c0 + t0 + 16) * nl + c1 + t1 + 16] = acc11;
        }
    }
}
