//pass
//--local_size=64 --num_groups=4
// Contracts may stand behind declarations, and be made of conditions and of functions that only compute.
#define REQUIRE(e) do { __requires(e); } while (0)

bool is_small(uint n)
{
    return n > 0 ? n < 1000 : false;
}

uint half_of(uint n)
{
    uint limit = 500;
    __ensures(__return_val_uint() <= __old_int(n));
    __requires(n % 2 == 0 && n < 1000);
    REQUIRE(is_small(n));
    return n / 2 < limit ? n / 2 : limit;
}

__kernel void contract_with_conditions(__global uint *out, uint n)
{
    __requires(n > 0 && n < 100);
    out[get_global_id(0)] = half_of(2 * n);
}
