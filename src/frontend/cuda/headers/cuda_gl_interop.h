/* CUDA's functions for the host that share memory with OpenGL, declared only. */
#ifndef LOCKSTEP_CUDA_GL_INTEROP
#define LOCKSTEP_CUDA_GL_INTEROP
#pragma clang system_header
#include "cuda_runtime.h"
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#elif !defined(__gl_h_)
typedef unsigned int GLuint, GLenum, GLbitfield;
typedef int GLint, GLsizei;
typedef float GLfloat;
typedef unsigned char GLubyte, GLboolean;
#endif

enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame, cudaGLDeviceListNextFrame };
extern "C" cudaError_t cudaGLGetDevices(...), cudaGLMapBufferObject(...), cudaGLMapBufferObjectAsync(...),
    cudaGLRegisterBufferObject(GLuint buffer), cudaGLSetBufferObjectMapFlags(...), cudaGLSetGLDevice(int device),
    cudaGLUnmapBufferObject(GLuint buffer), cudaGLUnmapBufferObjectAsync(...), cudaGLUnregisterBufferObject(GLuint buffer),
    cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, GLuint buffer, unsigned int flags),
    cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, GLuint image, GLenum target, unsigned int flags);

#endif
