/* What the helpers of NVIDIA's samples say of strings and of the command line: declared only. */
#ifndef LOCKSTEP_HELPER_STRING
#define LOCKSTEP_HELPER_STRING
#pragma clang system_header
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf

int stringRemoveDelimiter(char delimiter, const char *string);
int getFileExtension(char *name, char **extension);
bool checkCmdLineFlag(const int argc, const char **argv, const char *name);
template <class T> bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *value);
int getCmdLineArgumentInt(const int argc, const char **argv, const char *name);
float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name);
bool getCmdLineArgumentString(const int argc, const char **argv, const char *name, char **value);
char *sdkFindFilePath(const char *name, const char *program);

#endif
