/* OpenCL's host API up to version 3.0, declared for Lockstep, which reads how a host launches. */
#ifndef __OPENCL_CL_H
#define __OPENCL_CL_H
#include <CL/cl_version.h>
#include <CL/cl_platform.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;

typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;
typedef cl_ulong cl_properties;
typedef cl_bitfield cl_device_type;
typedef cl_uint cl_platform_info;
typedef cl_uint cl_device_info;
typedef cl_bitfield cl_device_fp_config;
typedef cl_uint cl_device_mem_cache_type;
typedef cl_uint cl_device_local_mem_type;
typedef cl_bitfield cl_device_exec_capabilities;
typedef cl_bitfield cl_device_svm_capabilities;
typedef cl_bitfield cl_command_queue_properties;
typedef intptr_t cl_device_partition_property;
typedef cl_bitfield cl_device_affinity_domain;
typedef intptr_t cl_context_properties;
typedef cl_uint cl_context_info;
typedef cl_properties cl_queue_properties;
typedef cl_uint cl_command_queue_info;
typedef cl_uint cl_channel_order;
typedef cl_uint cl_channel_type;
typedef cl_bitfield cl_mem_flags;
typedef cl_bitfield cl_svm_mem_flags;
typedef cl_uint cl_mem_object_type;
typedef cl_uint cl_mem_info;
typedef cl_bitfield cl_mem_migration_flags;
typedef cl_properties cl_mem_properties;
typedef cl_uint cl_image_info;
typedef cl_uint cl_buffer_create_type;
typedef cl_uint cl_addressing_mode;
typedef cl_uint cl_filter_mode;
typedef cl_uint cl_sampler_info;
typedef cl_bitfield cl_map_flags;
typedef intptr_t cl_pipe_properties;
typedef cl_uint cl_pipe_info;
typedef cl_uint cl_program_info;
typedef cl_uint cl_program_build_info;
typedef cl_uint cl_program_binary_type;
typedef cl_int cl_build_status;
typedef cl_uint cl_kernel_info;
typedef cl_uint cl_kernel_arg_info;
typedef cl_uint cl_kernel_arg_address_qualifier;
typedef cl_uint cl_kernel_arg_access_qualifier;
typedef cl_bitfield cl_kernel_arg_type_qualifier;
typedef cl_uint cl_kernel_work_group_info;
typedef cl_uint cl_kernel_sub_group_info;
typedef cl_uint cl_event_info;
typedef cl_uint cl_command_type;
typedef cl_uint cl_profiling_info;
typedef cl_properties cl_sampler_properties;
typedef cl_uint cl_kernel_exec_info;
typedef cl_bitfield cl_device_atomic_capabilities;
typedef cl_bitfield cl_device_device_enqueue_capabilities;
typedef cl_uint cl_khronos_vendor_id;
typedef cl_uint cl_version;

#define CL_NAME_VERSION_MAX_NAME_SIZE 64
typedef struct { cl_version version; char name[CL_NAME_VERSION_MAX_NAME_SIZE]; } cl_name_version;
typedef struct { cl_channel_order image_channel_order; cl_channel_type image_channel_data_type; } cl_image_format;
typedef struct {
    cl_mem_object_type image_type;
    size_t image_width, image_height, image_depth, image_array_size, image_row_pitch, image_slice_pitch;
    cl_uint num_mip_levels, num_samples;
    union { cl_mem buffer; cl_mem mem_object; };
} cl_image_desc;
typedef struct { size_t origin, size; } cl_buffer_region;

#include <CL/lockstep_constants.h>

/* No function of the API throws. */
#define __LOCKSTEP_API __attribute__((nothrow))
#define __LOCKSTEP_EVENTS cl_uint num_events, const cl_event *wait_list, cl_event *event

__LOCKSTEP_API cl_int clGetPlatformIDs(cl_uint, cl_platform_id *, cl_uint *);
__LOCKSTEP_API cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
__LOCKSTEP_API cl_int clGetDeviceInfo(cl_device_id, cl_device_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clCreateSubDevices(cl_device_id, const cl_device_partition_property *, cl_uint, cl_device_id *, cl_uint *);
__LOCKSTEP_API cl_int clRetainDevice(cl_device_id);
__LOCKSTEP_API cl_int clReleaseDevice(cl_device_id);
__LOCKSTEP_API cl_int clSetDefaultDeviceCommandQueue(cl_context, cl_device_id, cl_command_queue);
__LOCKSTEP_API cl_int clGetDeviceAndHostTimer(cl_device_id, cl_ulong *, cl_ulong *);
__LOCKSTEP_API cl_int clGetHostTimer(cl_device_id, cl_ulong *);

__LOCKSTEP_API cl_context clCreateContext(const cl_context_properties *, cl_uint, const cl_device_id *,
    void (*)(const char *, const void *, size_t, void *), void *, cl_int *);
__LOCKSTEP_API cl_context clCreateContextFromType(const cl_context_properties *, cl_device_type,
    void (*)(const char *, const void *, size_t, void *), void *, cl_int *);
__LOCKSTEP_API cl_int clRetainContext(cl_context);
__LOCKSTEP_API cl_int clReleaseContext(cl_context);
__LOCKSTEP_API cl_int clGetContextInfo(cl_context, cl_context_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clSetContextDestructorCallback(cl_context, void (*)(cl_context, void *), void *);

__LOCKSTEP_API cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int *);
__LOCKSTEP_API cl_command_queue clCreateCommandQueueWithProperties(cl_context, cl_device_id, const cl_queue_properties *, cl_int *);
__LOCKSTEP_API cl_int clRetainCommandQueue(cl_command_queue);
__LOCKSTEP_API cl_int clReleaseCommandQueue(cl_command_queue);
__LOCKSTEP_API cl_int clGetCommandQueueInfo(cl_command_queue, cl_command_queue_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clFlush(cl_command_queue);
__LOCKSTEP_API cl_int clFinish(cl_command_queue);

__LOCKSTEP_API cl_mem clCreateBuffer(cl_context, cl_mem_flags, size_t, void *, cl_int *);
__LOCKSTEP_API cl_mem clCreateBufferWithProperties(cl_context, const cl_mem_properties *, cl_mem_flags, size_t, void *, cl_int *);
__LOCKSTEP_API cl_mem clCreateSubBuffer(cl_mem, cl_mem_flags, cl_buffer_create_type, const void *, cl_int *);
__LOCKSTEP_API cl_mem clCreateImage(cl_context, cl_mem_flags, const cl_image_format *, const cl_image_desc *, void *, cl_int *);
__LOCKSTEP_API cl_mem clCreateImageWithProperties(cl_context, const cl_mem_properties *, cl_mem_flags, const cl_image_format *,
    const cl_image_desc *, void *, cl_int *);
__LOCKSTEP_API cl_mem clCreateImage2D(cl_context, cl_mem_flags, const cl_image_format *, size_t, size_t, size_t, void *, cl_int *);
__LOCKSTEP_API cl_mem clCreateImage3D(cl_context, cl_mem_flags, const cl_image_format *, size_t, size_t, size_t, size_t, size_t,
    void *, cl_int *);
__LOCKSTEP_API cl_mem clCreatePipe(cl_context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties *, cl_int *);
__LOCKSTEP_API cl_int clRetainMemObject(cl_mem);
__LOCKSTEP_API cl_int clReleaseMemObject(cl_mem);
__LOCKSTEP_API cl_int clGetSupportedImageFormats(cl_context, cl_mem_flags, cl_mem_object_type, cl_uint, cl_image_format *, cl_uint *);
__LOCKSTEP_API cl_int clGetMemObjectInfo(cl_mem, cl_mem_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clGetImageInfo(cl_mem, cl_image_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clSetMemObjectDestructorCallback(cl_mem, void (*)(cl_mem, void *), void *);
__LOCKSTEP_API void *clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint);
__LOCKSTEP_API void clSVMFree(cl_context, void *);

__LOCKSTEP_API cl_sampler clCreateSampler(cl_context, cl_bool, cl_addressing_mode, cl_filter_mode, cl_int *);
__LOCKSTEP_API cl_sampler clCreateSamplerWithProperties(cl_context, const cl_sampler_properties *, cl_int *);
__LOCKSTEP_API cl_int clRetainSampler(cl_sampler);
__LOCKSTEP_API cl_int clReleaseSampler(cl_sampler);
__LOCKSTEP_API cl_int clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void *, size_t *);

__LOCKSTEP_API cl_program clCreateProgramWithSource(cl_context, cl_uint, const char **, const size_t *, cl_int *);
__LOCKSTEP_API cl_program clCreateProgramWithBinary(cl_context, cl_uint, const cl_device_id *, const size_t *,
    const unsigned char **, cl_int *, cl_int *);
__LOCKSTEP_API cl_program clCreateProgramWithBuiltInKernels(cl_context, cl_uint, const cl_device_id *, const char *, cl_int *);
__LOCKSTEP_API cl_program clCreateProgramWithIL(cl_context, const void *, size_t, cl_int *);
__LOCKSTEP_API cl_int clRetainProgram(cl_program);
__LOCKSTEP_API cl_int clReleaseProgram(cl_program);
__LOCKSTEP_API cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *), void *);
__LOCKSTEP_API cl_int clCompileProgram(cl_program, cl_uint, const cl_device_id *, const char *, cl_uint, const cl_program *,
    const char **, void (*)(cl_program, void *), void *);
__LOCKSTEP_API cl_program clLinkProgram(cl_context, cl_uint, const cl_device_id *, const char *, cl_uint, const cl_program *,
    void (*)(cl_program, void *), void *, cl_int *);
__LOCKSTEP_API cl_int clSetProgramReleaseCallback(cl_program, void (*)(cl_program, void *), void *);
__LOCKSTEP_API cl_int clSetProgramSpecializationConstant(cl_program, cl_uint, size_t, const void *);
__LOCKSTEP_API cl_int clUnloadCompiler(void);
__LOCKSTEP_API cl_int clUnloadPlatformCompiler(cl_platform_id);
__LOCKSTEP_API cl_int clGetProgramInfo(cl_program, cl_program_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *);

__LOCKSTEP_API cl_kernel clCreateKernel(cl_program, const char *, cl_int *);
__LOCKSTEP_API cl_int clCreateKernelsInProgram(cl_program, cl_uint, cl_kernel *, cl_uint *);
__LOCKSTEP_API cl_kernel clCloneKernel(cl_kernel, cl_int *);
__LOCKSTEP_API cl_int clRetainKernel(cl_kernel);
__LOCKSTEP_API cl_int clReleaseKernel(cl_kernel);
__LOCKSTEP_API cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void *);
__LOCKSTEP_API cl_int clSetKernelArgSVMPointer(cl_kernel, cl_uint, const void *);
__LOCKSTEP_API cl_int clSetKernelExecInfo(cl_kernel, cl_kernel_exec_info, size_t, const void *);
__LOCKSTEP_API cl_int clGetKernelInfo(cl_kernel, cl_kernel_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clGetKernelArgInfo(cl_kernel, cl_uint, cl_kernel_arg_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clGetKernelWorkGroupInfo(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_int clGetKernelSubGroupInfo(cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t, const void *, size_t,
    void *, size_t *);

__LOCKSTEP_API cl_int clWaitForEvents(cl_uint, const cl_event *);
__LOCKSTEP_API cl_int clGetEventInfo(cl_event, cl_event_info, size_t, void *, size_t *);
__LOCKSTEP_API cl_event clCreateUserEvent(cl_context, cl_int *);
__LOCKSTEP_API cl_int clRetainEvent(cl_event);
__LOCKSTEP_API cl_int clReleaseEvent(cl_event);
__LOCKSTEP_API cl_int clSetUserEventStatus(cl_event, cl_int);
__LOCKSTEP_API cl_int clSetEventCallback(cl_event, cl_int, void (*)(cl_event, cl_int, void *), void *);
__LOCKSTEP_API cl_int clGetEventProfilingInfo(cl_event, cl_profiling_info, size_t, void *, size_t *);

__LOCKSTEP_API cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueReadBufferRect(cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, const size_t *,
    size_t, size_t, size_t, size_t, void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueWriteBufferRect(cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, const size_t *,
    size_t, size_t, size_t, size_t, const void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueFillBuffer(cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueCopyBuffer(cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueCopyBufferRect(cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *,
    size_t, size_t, size_t, size_t, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueReadImage(cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, size_t, size_t, void *,
    __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueWriteImage(cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, size_t, size_t,
    const void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueFillImage(cl_command_queue, cl_mem, const void *, const size_t *, const size_t *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueCopyImage(cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *,
    __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueCopyImageToBuffer(cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, size_t,
    __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueCopyBufferToImage(cl_command_queue, cl_mem, cl_mem, size_t, const size_t *, const size_t *,
    __LOCKSTEP_EVENTS);
__LOCKSTEP_API void *clEnqueueMapBuffer(cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, __LOCKSTEP_EVENTS, cl_int *);
__LOCKSTEP_API void *clEnqueueMapImage(cl_command_queue, cl_mem, cl_bool, cl_map_flags, const size_t *, const size_t *, size_t *,
    size_t *, __LOCKSTEP_EVENTS, cl_int *);
__LOCKSTEP_API cl_int clEnqueueUnmapMemObject(cl_command_queue, cl_mem, void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueMigrateMemObjects(cl_command_queue, cl_uint, const cl_mem *, cl_mem_migration_flags, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
    __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueTask(cl_command_queue, cl_kernel, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueNativeKernel(cl_command_queue, void (*)(void *), void *, size_t, cl_uint, const cl_mem *,
    const void **, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueMarker(cl_command_queue, cl_event *);
__LOCKSTEP_API cl_int clEnqueueMarkerWithWaitList(cl_command_queue, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueBarrier(cl_command_queue);
__LOCKSTEP_API cl_int clEnqueueBarrierWithWaitList(cl_command_queue, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueWaitForEvents(cl_command_queue, cl_uint, const cl_event *);
__LOCKSTEP_API cl_int clEnqueueSVMFree(cl_command_queue, cl_uint, void *[],
    void (*)(cl_command_queue, cl_uint, void *[], void *), void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueSVMMemcpy(cl_command_queue, cl_bool, void *, const void *, size_t, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueSVMMemFill(cl_command_queue, void *, const void *, size_t, size_t, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueSVMMap(cl_command_queue, cl_bool, cl_map_flags, void *, size_t, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueSVMUnmap(cl_command_queue, void *, __LOCKSTEP_EVENTS);
__LOCKSTEP_API cl_int clEnqueueSVMMigrateMem(cl_command_queue, cl_uint, const void **, const size_t *, cl_mem_migration_flags,
    __LOCKSTEP_EVENTS);
__LOCKSTEP_API void *clGetExtensionFunctionAddress(const char *);
__LOCKSTEP_API void *clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char *);

#undef __LOCKSTEP_EVENTS
#ifdef __cplusplus
}
#endif
#endif
