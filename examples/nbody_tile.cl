//pass
//--local_size=64 --num_groups=16
// Gravitation among 1024 bodies: the group loads the bodies tile by tile into local memory,
// where every work-item reads all of them. Positions are float4 with the mass in w.

#define GROUP 64

__kernel void nbody(__global const float4 *bodies, __global float4 *forces, float softening)
{
    __local float4 tile[GROUP];
    uint lid = get_local_id(0);
    float4 body = bodies[get_global_id(0)];
    float4 force = (float4)(0.0f);

    for (uint t = 0; t < get_num_groups(0); t++) {
        tile[lid] = bodies[t * GROUP + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < GROUP; j++) {
            float4 d = tile[j] - body;
            float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;
            float r = rsqrt(r2);
            force += d * (r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    forces[get_global_id(0)] = force;
}
