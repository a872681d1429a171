//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As nbody_tile.cu, without the barrier at the end of a round: the next tile overwrites bodies
// that other threads are still reading.

constexpr int BLOCK = 64;

__device__ float3 attraction(float3 force, float4 body, float4 other, float softening)
{
    float dx = other.x - body.x;
    float dy = other.y - body.y;
    float dz = other.z - body.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
    float scale = other.w * inverse * inverse * inverse;
    return make_float3(force.x + dx * scale, force.y + dy * scale, force.z + dz * scale);
}

__global__ void nbody(const float4 *bodies, float4 *forces, float softening)
{
    __shared__ float4 tile[BLOCK];
    int gid = blockIdx.x * BLOCK + threadIdx.x;
    float4 body = bodies[gid];
    float3 force = make_float3(0.0f, 0.0f, 0.0f);

    for (unsigned t = 0; t < gridDim.x; t++) {
        tile[threadIdx.x] = bodies[t * BLOCK + threadIdx.x]; //~ race
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < BLOCK; j++) {
            force = attraction(force, body, tile[j], softening); //~ race
        }
    }
    forces[gid] = make_float4(force.x, force.y, force.z, 0.0f);
}
