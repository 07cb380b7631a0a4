package io.github.amb.models.dl4j;

import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Access to the memory of ND4J arrays. */
final class NativeArrays {
  private NativeArrays() {}

  /** Returns the array itself if it is row-major without gaps, otherwise a copy that is. */
  static INDArray rowMajor(INDArray array) {
    long expected = 1;
    for (int dimension = array.rank() - 1; dimension >= 0; dimension--) {
      if (array.size(dimension) > 1 && array.stride(dimension) != expected) {
        return array.dup('c');
      }
      expected *= array.size(dimension);
    }
    return array;
  }

  /**
   * Address of an array's first entry. It does not keep the array alive: the garbage collector may
   * free the memory of an unreferenced array. So the caller ends its use with {@link
   * java.lang.ref.Reference#reachabilityFence}.
   */
  static FloatPointer pointer(INDArray array) {
    return (FloatPointer) array.data().addressPointer();
  }
}
