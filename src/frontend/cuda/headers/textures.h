/* Textures and surfaces.

   A texture's memory is not written by a kernel that reads it, so that a texel is a function of the texture, of which of
   the functions below asks, of the coordinates and of the lane: `__lockstep_texel`. A surface can be written: what is
   read from it is anything, and a write is refused by name. */
#ifndef LOCKSTEP_TEXTURES
#define LOCKSTEP_TEXTURES
#pragma clang system_header

__LOCKSTEP_DEVICE unsigned int __lockstep_texel(unsigned long long texture, int function, int lane, float, float = 0,
                                                float = 0, float = 0, float = 0, float = 0, float = 0, float = 0,
                                                float = 0, float = 0, float = 0);
__LOCKSTEP_DEVICE unsigned int __lockstep_surface_word();
__LOCKSTEP_DEVICE void __lockstep_refused_surf1Dwrite(), __lockstep_refused_surf1DLayeredwrite(),
    __lockstep_refused_surf2Dwrite(), __lockstep_refused_surf2DLayeredwrite(), __lockstep_refused_surf3Dwrite(),
    __lockstep_refused_surfCubemapwrite(), __lockstep_refused_surfCubemapLayeredwrite();

/* --- Vectors lane by lane --------------------------------------------------------------------------------- */
template <class T, bool = __is_class(T)> struct __lockstep_vector {
    typedef T lane;
    static constexpr int lanes = 1;
};
template <class T> struct __lockstep_vector<T, true> {
    typedef decltype(T::x) lane;
    static constexpr int lanes = sizeof(T) / sizeof(lane);
};
template <class T> struct __lockstep_lane {
    __LOCKSTEP_MEMBER static T of(unsigned int bits) { return (T)bits; }
};
template <> struct __lockstep_lane<float> {
    __LOCKSTEP_MEMBER static float of(unsigned int bits) { return __uint_as_float(bits); }
};
/* `words(0)`, `words(1)`… as the lanes of a T. */
template <class T, int = __lockstep_vector<T>::lanes> struct __lockstep_assembled;
#define __LOCKSTEP_LANE(N) __lockstep_lane<typename __lockstep_vector<T>::lane>::of(words(N))
template <class T> struct __lockstep_assembled<T, 1> {
    template <class W> __LOCKSTEP_MEMBER static T of(W words) { return T{__LOCKSTEP_LANE(0)}; }
};
template <class T> struct __lockstep_assembled<T, 2> {
    template <class W> __LOCKSTEP_MEMBER static T of(W words) { return T{__LOCKSTEP_LANE(0), __LOCKSTEP_LANE(1)}; }
};
template <class T> struct __lockstep_assembled<T, 4> {
    template <class W> __LOCKSTEP_MEMBER static T of(W words) {
        return T{__LOCKSTEP_LANE(0), __LOCKSTEP_LANE(1), __LOCKSTEP_LANE(2), __LOCKSTEP_LANE(3)};
    }
};
/* What a texture of T reads where it normalises. */
template <bool is_vector, int lanes> struct __lockstep_normalised;
template <> struct __lockstep_normalised<false, 1> { typedef float type; };
template <> struct __lockstep_normalised<true, 1> { typedef float1 type; };
template <> struct __lockstep_normalised<true, 2> { typedef float2 type; };
template <> struct __lockstep_normalised<true, 4> { typedef float4 type; };

/* --- Textures --------------------------------------------------------------------------------------------- */
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0c
#define cudaTextureType1DLayered 0xf1
#define cudaTextureType2DLayered 0xf2
#define cudaTextureTypeCubemapLayered 0xfc
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0c
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2DLayered 0xf2
#define cudaSurfaceTypeCubemapLayered 0xfc
struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct surfaceReference { struct cudaChannelFormatDesc channelDesc; };
template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {};
template <class T, int type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {};
template <class T, cudaTextureReadMode mode> struct __lockstep_read { typedef T type; };
template <class T> struct __lockstep_read<T, cudaReadModeNormalizedFloat> {
    typedef typename __lockstep_normalised<__is_class(T), __lockstep_vector<T>::lanes>::type type;
};

template <class T, class... C>
__LOCKSTEP_INLINE T __lockstep_fetch(unsigned long long texture, int function, C... coordinates) {
    return __lockstep_assembled<T>::of([=](int lane) __attribute__((device, always_inline)) {
        return __lockstep_texel(texture, function, lane, coordinates...);
    });
}
#define __LOCKSTEP_OBJECT(NUMBER, NAME)                                                                              \
    template <class T, class... C> __LOCKSTEP_INLINE T NAME(cudaTextureObject_t texture, float x, C... others) {     \
        return __lockstep_fetch<T>(texture, NUMBER, x, (float)others...);                                            \
    }
#define __LOCKSTEP_TEXTURE(NUMBER, NAME)                                                                             \
    __LOCKSTEP_OBJECT(NUMBER, NAME)                                                                                  \
    template <class T, class... C>                                                                                   \
    __LOCKSTEP_INLINE void NAME(T *to, cudaTextureObject_t texture, float x, C... others) {                          \
        *to = __lockstep_fetch<T>(texture, NUMBER, x, (float)others...);                                             \
    }                                                                                                                \
    template <class T, int type, cudaTextureReadMode mode, class... C>                                               \
    __LOCKSTEP_INLINE typename __lockstep_read<T, mode>::type NAME(const texture<T, type, mode> &texture, float x,   \
                                                                   C... others) {                                    \
        return __lockstep_fetch<typename __lockstep_read<T, mode>::type>((unsigned long long)&texture, NUMBER, x,    \
                                                                         (float)others...);                          \
    }
__LOCKSTEP_TEXTURE(0, tex1D)
__LOCKSTEP_TEXTURE(1, tex1Dfetch)
__LOCKSTEP_OBJECT(2, tex1DLod)
__LOCKSTEP_OBJECT(3, tex1DGrad)
__LOCKSTEP_TEXTURE(4, tex1DLayered)
__LOCKSTEP_OBJECT(5, tex1DLayeredLod)
__LOCKSTEP_OBJECT(6, tex1DLayeredGrad)
__LOCKSTEP_TEXTURE(7, tex2D)
__LOCKSTEP_TEXTURE(8, tex2DLod)
__LOCKSTEP_TEXTURE(9, tex2Dgather)
__LOCKSTEP_TEXTURE(10, tex2DLayered)
__LOCKSTEP_OBJECT(11, tex2DLayeredLod)
__LOCKSTEP_TEXTURE(12, tex3D)
__LOCKSTEP_OBJECT(13, tex3DLod)
__LOCKSTEP_TEXTURE(14, texCubemap)
__LOCKSTEP_OBJECT(15, texCubemapLod)
__LOCKSTEP_OBJECT(16, texCubemapLayered)
__LOCKSTEP_OBJECT(17, texCubemapLayeredLod)
template <class T>
__LOCKSTEP_INLINE T tex2DGrad(cudaTextureObject_t texture, float x, float y, float2 dx, float2 dy) {
    return __lockstep_fetch<T>(texture, 18, x, y, dx.x, dx.y, dy.x, dy.y);
}
template <class T>
__LOCKSTEP_INLINE T tex2DLayeredGrad(cudaTextureObject_t texture, float x, float y, int layer, float2 dx, float2 dy) {
    return __lockstep_fetch<T>(texture, 19, x, y, (float)layer, dx.x, dx.y, dy.x, dy.y);
}
template <class T>
__LOCKSTEP_INLINE T tex3DGrad(cudaTextureObject_t texture, float x, float y, float z, float4 dx, float4 dy) {
    return __lockstep_fetch<T>(texture, 20, x, y, z, dx.x, dx.y, dx.z, dx.w, dy.x, dy.y, dy.z, dy.w);
}

/* --- Surfaces --------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_SURFACE(NAME)                                                                                     \
    template <class T, class S, class... C> __LOCKSTEP_INLINE T NAME##read(const S &, int, C...) {                   \
        return __lockstep_assembled<T>::of(                                                                          \
            [](int) __attribute__((device, always_inline)) { return __lockstep_surface_word(); });                   \
    }                                                                                                                \
    template <class T, class S, class... C> __LOCKSTEP_INLINE void NAME##read(T *to, const S &, int, C...) {         \
        *to = NAME##read<T>(0, 0);                                                                                   \
    }                                                                                                                \
    template <class T, class S, class... C> __LOCKSTEP_INLINE void NAME##write(T, const S &, int, C...) {            \
        __lockstep_refused_##NAME##write();                                                                          \
    }
__LOCKSTEP_SURFACE(surf1D)
__LOCKSTEP_SURFACE(surf1DLayered)
__LOCKSTEP_SURFACE(surf2D)
__LOCKSTEP_SURFACE(surf2DLayered)
__LOCKSTEP_SURFACE(surf3D)
__LOCKSTEP_SURFACE(surfCubemap)
__LOCKSTEP_SURFACE(surfCubemapLayered)

template <class... A> cudaError_t cudaBindTexture(A &&...);
template <class... A> cudaError_t cudaBindTexture2D(A &&...);
template <class... A> cudaError_t cudaBindTextureToArray(A &&...);
template <class... A> cudaError_t cudaBindTextureToMipmappedArray(A &&...);
template <class... A> cudaError_t cudaBindSurfaceToArray(A &&...);
template <class... A> cudaError_t cudaUnbindTexture(A &&...);
template <class... A> cudaError_t cudaGetTextureReference(A &&...);
template <class... A> cudaError_t cudaGetTextureAlignmentOffset(A &&...);

#endif
