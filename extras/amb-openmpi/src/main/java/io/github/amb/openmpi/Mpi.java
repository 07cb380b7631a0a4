package io.github.amb.openmpi;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.annotation.Cast;
import org.bytedeco.javacpp.annotation.Name;
import org.bytedeco.javacpp.annotation.Platform;

/**
 * The functions of {@code amb_mpi.h}. Each returns MPI's error code, 0 for success, unless stated
 * otherwise. Only one thread at a time may call them.
 */
@Platform(include = "amb_mpi.h", compiler = "cpp11", library = MpiLibrary.NAME)
final class Mpi {
  /** Number of characters that {@link #version} may write. */
  static final int VERSION_CHARACTERS = 8192;

  /** Number of characters that {@link #error} may write. */
  static final int ERROR_CHARACTERS = 1024;

  static {
    MpiLibrary.load();
  }

  private Mpi() {}

  /** Bytes of one request in an array of requests. */
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
   * Puts memory of Java into huge pages if the kernel offers them on request. The content becomes
   * zeros. Any thread may call this.
   */
  @Name("amb_huge_pages")
  static native void hugePages(@Cast("void*") Pointer memory, @Cast("long long") long bytes);

  @Name("amb_isend")
  static native int isend(
      @Cast("void*") Pointer memory,
      int offset,
      int bytes,
      int to,
      int tag,
      @Cast("void*") Pointer requests,
      int slot);

  /** From any rank if {@code from} is negative. */
  @Name("amb_irecv")
  static native int irecv(
      @Cast("void*") Pointer memory,
      int offset,
      int bytes,
      int from,
      int tag,
      @Cast("void*") Pointer requests,
      int slot);

  /**
   * Tests a request.
   *
   * @param requests array of requests
   * @param slot index of the request
   * @param result receives 1 if the request is complete, otherwise 0; and the source of a received
   *     message
   */
  @Name("amb_test")
  static native int test(@Cast("void*") Pointer requests, int slot, IntPointer result);

  @Name("amb_cancel")
  static native int cancel(@Cast("void*") Pointer requests, int slot);

  @Name("amb_bcast_floats")
  static native int bcastFloats(@Cast("void*") Pointer memory, int floats, int root);

  /** The minimum of all ranks' numbers; all ranks must call it. */
  @Name("amb_least")
  static native int least(int own, IntPointer least);

  /** Ends MPI; all ranks must call it. */
  @Name("amb_finalize")
  static native int end();

  /** Ends all ranks; usually does not return. */
  @Name("amb_abort")
  static native int abort(int code);
}
