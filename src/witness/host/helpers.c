#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 120
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#ifndef _WIN32
#include <signal.h>
#include <unistd.h>
#endif

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;

static const char *name_of_error(cl_int error)
{
    switch (error) {
#define NAME(code) case code: return #code
    NAME(CL_DEVICE_NOT_FOUND);
    NAME(CL_DEVICE_NOT_AVAILABLE);
    NAME(CL_COMPILER_NOT_AVAILABLE);
    NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    NAME(CL_OUT_OF_RESOURCES);
    NAME(CL_OUT_OF_HOST_MEMORY);
    NAME(CL_BUILD_PROGRAM_FAILURE);
    NAME(CL_INVALID_VALUE);
    NAME(CL_INVALID_PLATFORM);
    NAME(CL_INVALID_DEVICE);
    NAME(CL_INVALID_CONTEXT);
    NAME(CL_INVALID_COMMAND_QUEUE);
    NAME(CL_INVALID_MEM_OBJECT);
    NAME(CL_INVALID_BUILD_OPTIONS);
    NAME(CL_INVALID_PROGRAM);
    NAME(CL_INVALID_PROGRAM_EXECUTABLE);
    NAME(CL_INVALID_KERNEL_NAME);
    NAME(CL_INVALID_KERNEL);
    NAME(CL_INVALID_ARG_INDEX);
    NAME(CL_INVALID_ARG_VALUE);
    NAME(CL_INVALID_ARG_SIZE);
    NAME(CL_INVALID_KERNEL_ARGS);
    NAME(CL_INVALID_WORK_DIMENSION);
    NAME(CL_INVALID_WORK_GROUP_SIZE);
    NAME(CL_INVALID_WORK_ITEM_SIZE);
    NAME(CL_INVALID_GLOBAL_OFFSET);
    NAME(CL_INVALID_GLOBAL_WORK_SIZE);
    NAME(CL_INVALID_BUFFER_SIZE);
    NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    /* Of loaders: no platform is installed. */
    case -1001: return "CL_PLATFORM_NOT_FOUND_KHR";
#undef NAME
    default: return "an error without a name";
    }
}

static void check(cl_int error, const char *what)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: %s (%d)\n", what, name_of_error(error), (int)error);
        exit(3);
    }
}

static void *memory(size_t bytes)
{
    void *start = calloc(bytes ? bytes : 1, 1);
    if (!start) {
        fprintf(stderr, "no memory for %llu bytes\n", (unsigned long long)bytes);
        exit(3);
    }
    return start;
}

/* --- What arrays hold at first, as lockstep run makes it -------------------------------------------------------- */

enum kind { SIGNED, UNSIGNED, FLOAT };

struct element {
    enum kind kind;
    size_t bytes;
};

static uint64_t scrambled(uint64_t number)
{
    uint64_t z = number + UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The bits of a number that is not negative as half precision, to nearest even. */
static uint64_t half_of(double number)
{
    uint64_t exponent = 0, whole;
    double digits = number * 16777216; /* In units of the smallest one. */
    for (; digits >= 2048 && exponent < 31; exponent++)
        digits /= 2;
    whole = (uint64_t)digits;
    if (digits - (double)whole > 0.5 || (digits - (double)whole == 0.5 && whole % 2))
        whole++;
    return exponent > 29 || (exponent == 29 && whole > 2047) ? 0x7C00 : (exponent << 10) + whole;
}

static uint64_t pattern_of(double number, size_t bytes)
{
    uint64_t pattern = 0;
    float single = (float)number;
    if (bytes == 2)
        return half_of(number);
    if (bytes == 4)
        memcpy(&pattern, &single, 4);
    else
        memcpy(&pattern, &number, 8);
    return pattern;
}

static void put(unsigned char *to, uint64_t pattern, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(pattern >> (8 * i));
}

static void fill_bytes(unsigned char *to, size_t size, const unsigned char *from, size_t count)
{
    memcpy(to, from, count < size ? count : size);
}

static void fill_same(unsigned char *to, size_t size, const unsigned char *element, size_t bytes)
{
    for (size_t i = 0; i < size; i++)
        to[i] = element[i % bytes];
}

static void fill_count(unsigned char *to, size_t size, struct element of, uint64_t step)
{
    for (uint64_t i = 0; i < size / of.bytes; i++)
        put(to + i * of.bytes, of.kind == FLOAT ? pattern_of((double)(step * i), of.bytes) : step * i, of.bytes);
}

static void fill_random(unsigned char *to, size_t size, struct element of, uint64_t seed)
{
    for (uint64_t i = 0; i < size / of.bytes; i++) {
        uint64_t random = scrambled(seed + scrambled(i));
        put(to + i * of.bytes, of.kind == FLOAT ? pattern_of((double)(random >> 53) / 2048, of.bytes) : random, of.bytes);
    }
}

static void fill_among(unsigned char *to, size_t size, size_t bytes, const uint64_t *patterns, uint64_t count, uint64_t seed)
{
    for (uint64_t i = 0; i < size / bytes; i++)
        put(to + i * bytes, patterns[scrambled(seed + scrambled(i)) % count], bytes);
}

static void fill_sparse(unsigned char *to, size_t size, size_t bytes, const uint64_t (*elements)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (elements[i][0] < size / bytes)
            put(to + elements[i][0] * bytes, elements[i][1], bytes);
}

/* --- What arrays hold at the end -------------------------------------------------------------------------------- */

/* SHA-256 (FIPS 180-4): its first 8 bytes. */
static void digest(const unsigned char *bytes, size_t size, unsigned char first[8])
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#define ROTATED(x, n) ((x) >> (n) | (x) << (32 - (n)))
    for (size_t block = 0; block <= (size + 8) / 64; block++) {
        uint32_t w[64], s[8];
        for (int i = 0; i < 16; i++) {
            w[i] = 0;
            for (int j = 0; j < 4; j++) {
                size_t at = block * 64 + 4 * (size_t)i + (size_t)j;
                uint32_t byte = at < size ? bytes[at] : at == size ? 0x80 : 0;
                if (block == (size + 8) / 64 && i >= 14)
                    byte = (uint32_t)((uint64_t)size * 8 >> (8 * (63 - (i * 4 + j)))) & 0xff;
                w[i] = w[i] << 8 | byte;
            }
        }
        for (int i = 16; i < 64; i++) {
            uint32_t a = ROTATED(w[i - 15], 7) ^ ROTATED(w[i - 15], 18) ^ w[i - 15] >> 3;
            uint32_t b = ROTATED(w[i - 2], 17) ^ ROTATED(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + a + w[i - 7] + b;
        }
        memcpy(s, h, sizeof s);
        for (int i = 0; i < 64; i++) {
            uint32_t a = ROTATED(s[4], 6) ^ ROTATED(s[4], 11) ^ ROTATED(s[4], 25);
            uint32_t b = ROTATED(s[0], 2) ^ ROTATED(s[0], 13) ^ ROTATED(s[0], 22);
            uint32_t t = s[7] + a + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            uint32_t u = b + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t;
            s[0] = t + u;
        }
        for (int i = 0; i < 8; i++)
            h[i] += s[i];
    }
#undef ROTATED
    for (int i = 0; i < 8; i++)
        first[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static double number_of_half(unsigned bits)
{
    unsigned exponent = bits >> 10 & 31;
    double number = (bits & 1023) + (exponent ? 1024 : 0);
    if (exponent == 31)
        return bits & 1023 ? NAN : bits >> 15 ? -INFINITY : INFINITY;
    for (unsigned i = 1; i < exponent; i++)
        number *= 2;
    return (bits >> 15 ? -number : number) / 16777216;
}

/* An element with as many digits as it takes. */
static void show(const unsigned char *from, struct element of)
{
    uint64_t pattern = 0;
    float single;
    double number;
    char text[64];
    for (size_t i = 0; i < of.bytes; i++)
        pattern |= (uint64_t)from[i] << (8 * i);
    if (of.kind == UNSIGNED) {
        printf("%llu", (unsigned long long)pattern);
        return;
    }
    if (of.kind == SIGNED) {
        if (of.bytes < 8 && pattern >> (8 * of.bytes - 1))
            pattern |= UINT64_MAX << (8 * of.bytes);
        printf("%lld", (long long)pattern);
        return;
    }
    memcpy(&single, from, of.bytes == 4 ? 4 : 0);
    memcpy(&number, from, of.bytes == 8 ? 8 : 0);
    if (of.bytes < 8)
        number = of.bytes == 4 ? single : number_of_half((unsigned)pattern);
    for (int digits = 1; digits < 18; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (of.bytes == 4 ? strtof(text, NULL) == single : strtod(text, NULL) == number)
            break;
    }
    printf("%s", text);
}

/* --- Arguments -------------------------------------------------------------------------------------------------- */

struct array {
    const char *name;
    /* NULL: nothing is known of the elements. */
    const struct element *element;
    /* The bytes that are told about, and those that the kernel may access. */
    size_t size, room;
    unsigned char *bytes;
    cl_mem buffer;
};

static struct array arrays[64];
static int number_of_arrays;

/* An array for a parameter; its bytes are zeros. */
static unsigned char *new_array(const char *name, size_t size, size_t room, const struct element *element)
{
    struct array *array = &arrays[number_of_arrays++];
    array->name = name;
    array->element = element;
    array->size = size;
    array->room = room;
    array->bytes = memory(room);
    return array->bytes;
}

/* Hands over the array that was made last. */
static void give_array(cl_uint parameter)
{
    struct array *array = &arrays[number_of_arrays - 1];
    cl_ulong most = 0;
    cl_int error;
    check(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL), "clGetDeviceInfo");
    if (array->room > most) {
        fprintf(stderr, "%s needs %llu bytes, of which this device has %llu for a buffer\n", array->name,
                (unsigned long long)array->room, (unsigned long long)most);
        exit(3);
    }
    array->buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, array->room ? array->room : 1,
                                   array->bytes, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, parameter, sizeof array->buffer, &array->buffer), array->name);
}

static void give_bytes(cl_uint parameter, const char *name, const void *bytes, size_t size)
{
    check(clSetKernelArg(kernel, parameter, size, bytes), name);
}

static void give_local(cl_uint parameter, const char *name, size_t size)
{
    check(clSetKernelArg(kernel, parameter, size ? size : 1, NULL), name);
}
