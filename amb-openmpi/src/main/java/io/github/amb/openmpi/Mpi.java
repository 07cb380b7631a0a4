package io.github.amb.openmpi;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.annotation.Cast;
import org.bytedeco.javacpp.annotation.Name;
import org.bytedeco.javacpp.annotation.Platform;

/**
 * The calls of {@code amb_mpi.h}; each returns MPI's error code, 0 for success, unless it says
 * otherwise. Only one thread may be in them at a time.
 */
@Platform(include = "amb_mpi.h", compiler = "cpp11", library = MpiLibrary.NAME)
final class Mpi {
  /** Characters that {@link #version} may write. */
  static final int VERSION_CHARACTERS = 8192;

  /** Characters that {@link #error} may write. */
  static final int ERROR_CHARACTERS = 1024;

  static {
    MpiLibrary.load();
  }

  private Mpi() {}

  /** Bytes of one request in an array of them. */
  @Name("amb_request_bytes")
  static native int requestBytes();

  @Name("amb_init")
  static native int init();

  /** This rank. */
  @Name("amb_rank")
  static native int rank();

  /** Number of ranks. */
  @Name("amb_size")
  static native int size();

  @Name("amb_version")
  static native void version(@Cast("char*") BytePointer text);

  @Name("amb_error")
  static native void error(int code, @Cast("char*") BytePointer text);

  /**
   * Lays private memory of Java's in huge pages where the kernel has them for those who ask. What
   * was in them becomes zeros; may be called by any thread.
   */
  @Name("amb_huge_pages")
  static native void hugePages(@Cast("void*") Pointer memory, @Cast("long long") long bytes);

  @Name("amb_isend")
  static native int isend(
      @Cast("void*") Pointer memory,
      int bytes,
      int to,
      int tag,
      @Cast("void*") Pointer requests,
      int slot);

  @Name("amb_isend_floats")
  static native int isendFloats(
      @Cast("void*") Pointer memory,
      int offset,
      int floats,
      int to,
      int tag,
      @Cast("void*") Pointer requests,
      int slot);

  @Name("amb_irecv")
  static native int irecv(
      @Cast("void*") Pointer memory, int bytes, int tag, @Cast("void*") Pointer requests, int slot);

  @Name("amb_irecv_floats")
  static native int irecvFloats(
      @Cast("void*") Pointer memory,
      int offset,
      int floats,
      int from,
      int tag,
      @Cast("void*") Pointer requests,
      int slot);

  /**
   * @param result receives 1 if the request is done, else 0; and the source of what was received
   */
  @Name("amb_test")
  static native int test(@Cast("void*") Pointer requests, int slot, IntPointer result);

  @Name("amb_cancel")
  static native int cancel(@Cast("void*") Pointer requests, int slot);

  @Name("amb_bcast_floats")
  static native int bcastFloats(@Cast("void*") Pointer memory, int floats, int root);

  /** Ranks on this rank's host, itself included; all ranks must ask. */
  @Name("amb_local_size")
  static native int localSize(IntPointer count);

  /** The least of all ranks' numbers; all ranks must call it. */
  @Name("amb_least")
  static native int least(int own, IntPointer least);

  /** Ends MPI; all ranks must call it. */
  @Name("amb_finalize")
  static native int end();

  /** Ends all ranks; does not return if MPI can help it. */
  @Name("amb_abort")
  static native int abort(int code);
}
