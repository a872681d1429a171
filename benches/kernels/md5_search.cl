//pass
//--local_size=256 --num_groups=* --assume 'values_per_byte > 0 && values_per_byte <= 64 && byte_length >= 0 && byte_length <= 8 && key_space > 0'
// Search for a key with a given MD5 digest: every work-item tries the keys of its stride, with the rounds
// unrolled, and reports the smallest index that fits.

#define F(x, y, z) ((x & y) | ((~x) & z))
#define G(x, y, z) ((x & z) | (y & (~z)))
#define H(x, y, z) (x ^ y ^ z)
#define I(x, y, z) (y ^ (x | (~z)))
#define ROUND(f, w, x, y, z, data, s, constant)                                                                       \
    w += f(x, y, z) + (data) + (constant);                                                                            \
    w = rotate(w, (uint)s);                                                                                           \
    w += x;

uint4 md5_2words(uint d0, uint d1, uint length)
{
    uint a = 0x67452301;
    uint b = 0xefcdab89;
    uint c = 0x98badcfe;
    uint d = 0x10325476;
    uint bits = length * 8;

    ROUND(F, a, b, c, d, d0, 7, 0xd76aa478)
    ROUND(F, d, a, b, c, d1, 12, 0xe8c7b756)
    ROUND(F, c, d, a, b, 0, 17, 0x242070db)
    ROUND(F, b, c, d, a, 0, 22, 0xc1bdceee)
    ROUND(F, a, b, c, d, 0, 7, 0xf57c0faf)
    ROUND(F, d, a, b, c, 0, 12, 0x4787c62a)
    ROUND(F, c, d, a, b, 0, 17, 0xa8304613)
    ROUND(F, b, c, d, a, 0, 22, 0xfd469501)
    ROUND(F, a, b, c, d, 0, 7, 0x698098d8)
    ROUND(F, d, a, b, c, 0, 12, 0x8b44f7af)
    ROUND(F, c, d, a, b, 0, 17, 0xffff5bb1)
    ROUND(F, b, c, d, a, 0, 22, 0x895cd7be)
    ROUND(F, a, b, c, d, 0, 7, 0x6b901122)
    ROUND(F, d, a, b, c, 0, 12, 0xfd987193)
    ROUND(F, c, d, a, b, bits, 17, 0xa679438e)
    ROUND(F, b, c, d, a, 0, 22, 0x49b40821)

    ROUND(G, a, b, c, d, d1, 5, 0xf61e2562)
    ROUND(G, d, a, b, c, 0, 9, 0xc040b340)
    ROUND(G, c, d, a, b, 0, 14, 0x265e5a51)
    ROUND(G, b, c, d, a, d0, 20, 0xe9b6c7aa)
    ROUND(G, a, b, c, d, 0, 5, 0xd62f105d)
    ROUND(G, d, a, b, c, 0, 9, 0x02441453)
    ROUND(G, c, d, a, b, 0, 14, 0xd8a1e681)
    ROUND(G, b, c, d, a, 0, 20, 0xe7d3fbc8)
    ROUND(G, a, b, c, d, 0, 5, 0x21e1cde6)
    ROUND(G, d, a, b, c, bits, 9, 0xc33707d6)
    ROUND(G, c, d, a, b, 0, 14, 0xf4d50d87)
    ROUND(G, b, c, d, a, 0, 20, 0x455a14ed)
    ROUND(G, a, b, c, d, 0, 5, 0xa9e3e905)
    ROUND(G, d, a, b, c, 0, 9, 0xfcefa3f8)
    ROUND(G, c, d, a, b, 0, 14, 0x676f02d9)
    ROUND(G, b, c, d, a, 0, 20, 0x8d2a4c8a)

    ROUND(H, a, b, c, d, 0, 4, 0xfffa3942)
    ROUND(H, d, a, b, c, 0, 11, 0x8771f681)
    ROUND(H, c, d, a, b, 0, 16, 0x6d9d6122)
    ROUND(H, b, c, d, a, bits, 23, 0xfde5380c)
    ROUND(H, a, b, c, d, d1, 4, 0xa4beea44)
    ROUND(H, d, a, b, c, 0, 11, 0x4bdecfa9)
    ROUND(H, c, d, a, b, 0, 16, 0xf6bb4b60)
    ROUND(H, b, c, d, a, 0, 23, 0xbebfbc70)
    ROUND(H, a, b, c, d, 0, 4, 0x289b7ec6)
    ROUND(H, d, a, b, c, d0, 11, 0xeaa127fa)
    ROUND(H, c, d, a, b, 0, 16, 0xd4ef3085)
    ROUND(H, b, c, d, a, 0, 23, 0x04881d05)
    ROUND(H, a, b, c, d, 0, 4, 0xd9d4d039)
    ROUND(H, d, a, b, c, 0, 11, 0xe6db99e5)
    ROUND(H, c, d, a, b, 0, 16, 0x1fa27cf8)
    ROUND(H, b, c, d, a, 0, 23, 0xc4ac5665)

    ROUND(I, a, b, c, d, d0, 6, 0xf4292244)
    ROUND(I, d, a, b, c, 0, 10, 0x432aff97)
    ROUND(I, c, d, a, b, bits, 15, 0xab9423a7)
    ROUND(I, b, c, d, a, 0, 21, 0xfc93a039)
    ROUND(I, a, b, c, d, 0, 6, 0x655b59c3)
    ROUND(I, d, a, b, c, 0, 10, 0x8f0ccc92)
    ROUND(I, c, d, a, b, 0, 15, 0xffeff47d)
    ROUND(I, b, c, d, a, d1, 21, 0x85845dd1)
    ROUND(I, a, b, c, d, 0, 6, 0x6fa87e4f)
    ROUND(I, d, a, b, c, 0, 10, 0xfe2ce6e0)
    ROUND(I, c, d, a, b, 0, 15, 0xa3014314)
    ROUND(I, b, c, d, a, 0, 21, 0x4e0811a1)
    ROUND(I, a, b, c, d, 0, 6, 0xf7537e82)
    ROUND(I, d, a, b, c, 0, 10, 0xbd3af235)
    ROUND(I, c, d, a, b, 0, 15, 0x2ad7d2bb)
    ROUND(I, b, c, d, a, 0, 21, 0xeb86d391)

    return (uint4)(a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476);
}

__kernel void find_key_with_digest(uint4 search, int key_space, int byte_length, int values_per_byte,
                                   __global int *found_index, __global uint4 *found_digest)
{
    for (uint index = get_global_id(0); index < (uint)key_space; index += get_global_size(0)) {
        uint words[2] = {0, 0};
        uint rest = index;
        for (int byte = 0; byte < byte_length; byte++) {
            words[byte >> 2] |= (rest % values_per_byte) << ((byte & 3) * 8);
            rest /= values_per_byte;
        }
        uint4 digest = md5_2words(words[0], words[1], byte_length);
        if (digest.x == search.x && digest.y == search.y && digest.z == search.z && digest.w == search.w) {
#ifdef DEFECT
            *found_index = index; //~ race
#else
            atomic_min(found_index, (int)index);
#endif
            *found_digest = search;
        }
    }
}
