//pass
//--local_size=8,8,4 --num_groups=1,1,1
// Heat in a small cube, all steps of time in one launch: one group, two cubes in local memory that swap roles by their index, and
// a barrier per step.

#define NX 8
#define NY 8
#define NZ 4
#define CELL(x, y, z) (((z) * NY + (y)) * NX + (x))

__kernel void heat3d(__global const float *in, __global float *out, int steps, float alpha)
{
    __local float cube[2][NX * NY * NZ];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    int me = CELL(x, y, z);
    int inner = x > 0 && x < NX - 1 && y > 0 && y < NY - 1 && z > 0 && z < NZ - 1;

    cube[0][me] = in[me];
    cube[1][me] = in[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    int now = 0;
    for (int t = 0; t < steps; t++) {
        if (inner) {
            float around = cube[now][CELL(x - 1, y, z)]; //~ race w
            around += cube[now][CELL(x + 1, y, z)]; //~ race e
            around += cube[now][CELL(x, y - 1, z)]; //~ race n
            around += cube[now][CELL(x, y + 1, z)]; //~ race s
            around += cube[now][CELL(x, y, z - 1)]; //~ race b
            around += cube[now][CELL(x, y, z + 1)]; //~ race t
#ifdef DEFECT
            cube[now][me] += alpha * (around - 6.0f * cube[now][me]); //~ race w e n s b t
#else
            cube[1 - now][me] = cube[now][me] + alpha * (around - 6.0f * cube[now][me]);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        now = 1 - now;
    }
    out[me] = cube[now][me];
}
