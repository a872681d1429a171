//pass
//--local_size=128 --num_groups=*
// Forces between the particles of a box and those of its neighbours: positions and charges of both boxes in
// local memory, ten interactions unrolled, the forces summed up in global memory, component by component.

#define NUMBER_PAR_PER_BOX 100
#define NUMBER_THREADS 128

typedef struct {
    int x, y, z;
    int number;
    long offset;
} nei_str;

typedef struct {
    int x, y, z;
    int number;
    long offset;
    int nn;
    nei_str nei[26];
} box_str;

typedef struct {
    float v, x, y, z;
} FOUR_VECTOR;

#define INTERACTION(j)                                                                                                \
    {                                                                                                                 \
        float r2 = rA_shared[wtx].v + rB_shared[j].v -                                                                \
                   (rA_shared[wtx].x * rB_shared[j].x + rA_shared[wtx].y * rB_shared[j].y +                           \
                    rA_shared[wtx].z * rB_shared[j].z);                                                               \
        float vij = exp(-a2 * r2);                                                                                    \
        float fs = 2.0f * vij;                                                                                        \
        float dx = rA_shared[wtx].x - rB_shared[j].x;                                                                 \
        float dy = rA_shared[wtx].y - rB_shared[j].y;                                                                 \
        float dz = rA_shared[wtx].z - rB_shared[j].z;                                                                 \
        fv[first_i + wtx].v += qB_shared[j] * vij;                                                                    \
        fv[first_i + wtx].x += qB_shared[j] * fs * dx;                                                                \
        fv[first_i + wtx].y += qB_shared[j] * fs * dy;                                                                \
        fv[first_i + wtx].z += qB_shared[j] * fs * dz;                                                                \
    }

__kernel void lavamd(float alpha2, __global const box_str *boxes, __global const FOUR_VECTOR *rv,
                     __global const float *qv, __global FOUR_VECTOR *fv)
{
    __local FOUR_VECTOR rA_shared[NUMBER_PAR_PER_BOX];
    __local FOUR_VECTOR rB_shared[NUMBER_PAR_PER_BOX];
    __local float qB_shared[NUMBER_PAR_PER_BOX];
    int bx = get_group_id(0);
    int tx = get_local_id(0);
    int wtx = tx;
    float a2 = 2.0f * alpha2 * alpha2;
    int first_i = bx * NUMBER_PAR_PER_BOX;

    while (wtx < NUMBER_PAR_PER_BOX) {
        rA_shared[wtx] = rv[first_i + wtx];
        wtx = wtx + NUMBER_THREADS;
    }
    wtx = tx;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int k = 0; k < 1 + boxes[bx].nn; k++) {
        int pointer = k == 0 ? bx : boxes[bx].nei[k - 1].number;
        int first_j = boxes[pointer].offset;

        while (wtx < NUMBER_PAR_PER_BOX) {
            rB_shared[wtx] = rv[first_j + wtx]; //~ race p0 p1 p2 p3 p4 p5 p6 p7 p8 p9
            qB_shared[wtx] = qv[first_j + wtx]; //~ race q0 q1 q2 q3 q4 q5 q6 q7 q8 q9
            wtx = wtx + NUMBER_THREADS;
        }
        wtx = tx;
        barrier(CLK_LOCAL_MEM_FENCE);

        while (wtx < NUMBER_PAR_PER_BOX) {
            for (int j = 0; j < NUMBER_PAR_PER_BOX; j += 10) {
                INTERACTION(j) //~ race p0 q0
                INTERACTION(j + 1) //~ race p1 q1
                INTERACTION(j + 2) //~ race p2 q2
                INTERACTION(j + 3) //~ race p3 q3
                INTERACTION(j + 4) //~ race p4 q4
                INTERACTION(j + 5) //~ race p5 q5
                INTERACTION(j + 6) //~ race p6 q6
                INTERACTION(j + 7) //~ race p7 q7
                INTERACTION(j + 8) //~ race p8 q8
                INTERACTION(j + 9) //~ race p9 q9
            }
            wtx = wtx + NUMBER_THREADS;
        }
        wtx = tx;
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
}
