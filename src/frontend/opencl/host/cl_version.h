/* The versions of OpenCL whose host API Lockstep declares. */
#ifndef __CL_VERSION_H
#define __CL_VERSION_H
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_VERSION_1_0 1
#define CL_VERSION_1_1 1
#define CL_VERSION_1_2 1
#define CL_VERSION_2_0 1
#define CL_VERSION_2_1 1
#define CL_VERSION_2_2 1
#define CL_VERSION_3_0 1
#endif
