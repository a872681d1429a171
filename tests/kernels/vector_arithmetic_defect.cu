//xfail:NOT_ALL_VERIFIED
//--vector-arithmetic
// Arithmetic on vectors is there on request. A neighbour is read while it is written.
struct Pair { float4 first, second; };
__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__global__ void move(Pair *bodies, float2 *turned, int3 *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 place = bodies[i].first, speed = bodies[i].second;
    place += speed * 0.5f;
    speed = -speed / length(speed) + 2 * place;
    if (dot(place, speed) < 0) speed = normalize(lerp(speed, place, 0.5f));
    bodies[i].first = place;
    bodies[i].second = speed;
    turned[i] = turned[i] * turned[i];
    int3 cell = cells[i ^ 1]; //~ race
    cells[i] = cell % 8 + make_int3(1, 2, 3); //~ race
}
