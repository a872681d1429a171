/* The part that all OpenCL hosts share: a device, a queue, a program from a file. */
#ifndef OPENCL_UTIL_H
#define OPENCL_UTIL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

#define CL_CHECK(x)                                                                \
    do {                                                                           \
        cl_int status_ = (x);                                                      \
        if (status_ != CL_SUCCESS) {                                               \
            fprintf(stderr, "%s:%d: OpenCL error %d\n", __FILE__, __LINE__, status_); \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

typedef struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} cl_setup;

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = (char *)malloc(size + 1);
    text[fread(text, 1, size, file)] = 0;
    fclose(file);
    return text;
}

static cl_setup set_up(const char *path, const char *options)
{
    cl_setup cl;
    cl_int status;
    cl_platform_id platform;
    CL_CHECK(clGetPlatformIDs(1, &platform, NULL));
    CL_CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &cl.device, NULL));
    cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &status);
    CL_CHECK(status);
    cl.queue = clCreateCommandQueue(cl.context, cl.device, 0, &status);
    CL_CHECK(status);
    char *text = read_text(path);
    cl.program = clCreateProgramWithSource(cl.context, 1, (const char **)&text, NULL, &status);
    CL_CHECK(status);
    free(text);
    if (clBuildProgram(cl.program, 1, &cl.device, options, NULL, NULL) != CL_SUCCESS) {
        char log[4096];
        clGetProgramBuildInfo(cl.program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
        fprintf(stderr, "%s\n", log);
        exit(1);
    }
    return cl;
}

static cl_kernel kernel_named(const cl_setup *cl, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(cl->program, name, &status);
    CL_CHECK(status);
    return kernel;
}

static cl_mem buffer(const cl_setup *cl, size_t bytes, const void *contents)
{
    cl_int status;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem memory = clCreateBuffer(cl->context, flags, bytes, (void *)contents, &status);
    CL_CHECK(status);
    return memory;
}

static void read_back(const cl_setup *cl, cl_mem memory, size_t bytes, void *to)
{
    CL_CHECK(clEnqueueReadBuffer(cl->queue, memory, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static size_t round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

static void tear_down(cl_setup *cl)
{
    clReleaseProgram(cl->program);
    clReleaseCommandQueue(cl->queue);
    clReleaseContext(cl->context);
}

#endif
