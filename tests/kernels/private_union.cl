//pass
//--local_size=64 --num_groups=16
// A private union takes a number apart into bytes.

union parts {
    uint number;
    uchar bytes[4];
};

__kernel void private_union(__global uint *out)
{
    union parts parts;
    parts.number = get_global_id(0);
    out[parts.bytes[0] + 256 * parts.bytes[1]] = parts.number;
}
