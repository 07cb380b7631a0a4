// The few calls of mpi.h that the engine needs, on memory that Java owns. Compiled against whatever MPI the
// site has, so handles, which differ from one MPI to another, stay on this side.
#ifndef AMB_MPI_H
#define AMB_MPI_H

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <cstdint>
#include <dlfcn.h>
#include <mpi.h>
#include <sys/mman.h>

// Apart from each other, so that collective calls and messages never meet.
static MPI_Comm amb_messages;
static MPI_Comm amb_collectives;

// Some MPIs load plug-ins that expect MPI's own symbols to be visible to all; Java loads libraries privately.
static inline void amb_make_visible() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&MPI_Init), &info) && info.dli_fname) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }
}

static inline int amb_communicator(MPI_Comm* made) {
  int error = MPI_Comm_dup(MPI_COMM_WORLD, made);
  return error ? error : MPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
}

static inline int amb_request_bytes() { return sizeof(MPI_Request); }

static inline int amb_init() {
  amb_make_visible();
  int provided = MPI_THREAD_SINGLE;
  int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (error) return error;
  if (provided < MPI_THREAD_SERIALIZED) return MPI_ERR_UNSUPPORTED_OPERATION;
  error = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (!error) error = amb_communicator(&amb_messages);
  return error ? error : amb_communicator(&amb_collectives);
}

static inline int amb_rank() {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static inline int amb_size() {
  int size = -1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// text must have room for MPI_MAX_LIBRARY_VERSION_STRING characters, which is at most 8192 in all MPIs known.
static inline void amb_version(char* text) {
  int length = 0;
  MPI_Get_library_version(text, &length);
}

// text must have room for MPI_MAX_ERROR_STRING characters, at most 1024.
static inline void amb_error(int code, char* text) {
  int length = 0;
  if (MPI_Error_string(code, text, &length)) text[0] = 0;
}

// Lays memory in huge pages where the kernel has them for those who ask; what was in it becomes zeros.
static inline void amb_huge_pages(void* memory, long long bytes) {
#ifdef MADV_HUGEPAGE
  const uintptr_t page = 2 << 20, start = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (start + page - 1) / page * page, end = (start + bytes) / page * page;
  void* pages = reinterpret_cast<void*>(first);
  if (first < end && !madvise(pages, end - first, MADV_HUGEPAGE)) madvise(pages, end - first, MADV_DONTNEED);
#endif
}

static inline int amb_isend(const void* memory, int offset, int bytes, int to, int tag, void* requests, int slot) {
  return MPI_Isend(static_cast<const char*>(memory) + offset, bytes, MPI_BYTE, to, tag, amb_messages,
                   static_cast<MPI_Request*>(requests) + slot);
}

// From any rank if from is negative.
static inline int amb_irecv(void* memory, int offset, int bytes, int from, int tag, void* requests, int slot) {
  return MPI_Irecv(static_cast<char*>(memory) + offset, bytes, MPI_BYTE, from < 0 ? MPI_ANY_SOURCE : from, tag,
                   amb_messages, static_cast<MPI_Request*>(requests) + slot);
}

// result: whether the request is done, and then the source of what was received.
static inline int amb_test(void* requests, int slot, int* result) {
  MPI_Status status;
  result[0] = 0;
  int error = MPI_Test(static_cast<MPI_Request*>(requests) + slot, result, &status);
  result[1] = result[0] ? status.MPI_SOURCE : -1;
  return error;
}

static inline int amb_cancel(void* requests, int slot) {
  MPI_Request* request = static_cast<MPI_Request*>(requests) + slot;
  int error = MPI_Cancel(request);
  return error ? error : MPI_Wait(request, MPI_STATUS_IGNORE);
}

static inline int amb_bcast_floats(void* memory, int floats, int root) {
  return MPI_Bcast(memory, floats, MPI_FLOAT, root, amb_collectives);
}

static inline int amb_least(int own, int* least) {
  return MPI_Allreduce(&own, least, 1, MPI_INT, MPI_MIN, amb_collectives);
}

static inline int amb_finalize() {
  MPI_Comm_free(&amb_messages);
  MPI_Comm_free(&amb_collectives);
  return MPI_Finalize();
}

static inline int amb_abort(int code) { return MPI_Abort(MPI_COMM_WORLD, code); }

#endif
