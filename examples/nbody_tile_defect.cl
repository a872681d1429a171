//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As nbody_tile.cl, without the barrier at the end of a round: the next tile overwrites bodies
// that other work-items are still reading.

#define GROUP 64

__kernel void nbody(__global const float4 *bodies, __global float4 *forces, float softening)
{
    __local float4 tile[GROUP];
    uint lid = get_local_id(0);
    float4 body = bodies[get_global_id(0)];
    float4 force = (float4)(0.0f);

    for (uint t = 0; t < get_num_groups(0); t++) {
        tile[lid] = bodies[t * GROUP + lid]; //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < GROUP; j++) {
            float4 d = tile[j] - body; //~ race
            float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;
            float r = rsqrt(r2);
            force += d * (r * r * r);
        }
    }
    forces[get_global_id(0)] = force;
}
