//pass
//--local_size=256 --num_groups=*
// Gravitation of all bodies: tiles of positions and masses in local memory, the inner loop unrolled by four,
// then one step in time into new arrays.

#define TILE 256

float3 body_body_interaction(float3 acc, float4 own, float4 other, float eps2)
{
    float3 r = other.xyz - own.xyz;
    float dist = rsqrt(dot(r, r) + eps2);
    return acc + r * (other.w * dist * dist * dist);
}

__kernel void nbody(__global float4 *new_pos, __global float4 *new_vel, __global const float4 *old_pos,
                    __global const float4 *old_vel, float delta_time, float damping, float eps2, int num_bodies)
{
    __local float4 shared_pos[TILE];
    int gid = get_global_id(0);
    int lid = get_local_id(0);
    float4 own = old_pos[gid];
    float3 acc = (float3)(0.0f, 0.0f, 0.0f);

    int num_tiles = num_bodies / TILE;
    for (int tile = 0; tile < num_tiles; tile++) {
        shared_pos[lid] = old_pos[tile * TILE + lid]; //~ race a b c d
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int counter = 0; counter < TILE; counter += 4) {
            acc = body_body_interaction(acc, own, shared_pos[counter], eps2); //~ race a
            acc = body_body_interaction(acc, own, shared_pos[counter + 1], eps2); //~ race b
            acc = body_body_interaction(acc, own, shared_pos[counter + 2], eps2); //~ race c
            acc = body_body_interaction(acc, own, shared_pos[counter + 3], eps2); //~ race d
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

    float4 vel = old_vel[gid];
    vel.xyz = (vel.xyz + acc * delta_time) * damping;
    own.xyz += vel.xyz * delta_time;
    new_pos[gid] = own;
    new_vel[gid] = vel;
}
