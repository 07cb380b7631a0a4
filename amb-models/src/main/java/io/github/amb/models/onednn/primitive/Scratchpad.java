package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_set_data_handle;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.javacpp.BytePointer;

/** Working memory that the operations of a network share; they run one after the other. */
public final class Scratchpad implements AutoCloseable {
  private final List<Tensor> tensors = new ArrayList<>();
  private Arena arena = new Arena();
  private BytePointer start = arena.allocate(1);
  private long size = 1;

  /** A view of the memory, valid until this is closed. */
  Tensor tensor(dnnl_memory_desc format) {
    long needed = Tensor.bytes(format);
    if (needed > size) {
      grow(needed);
    }
    Tensor tensor = new Tensor(format, start);
    tensors.add(tensor);
    return tensor;
  }

  private void grow(long needed) {
    Arena larger = new Arena();
    start = larger.allocate(needed);
    size = needed;
    for (Tensor tensor : tensors) {
      OneDnn.check(dnnl_memory_set_data_handle(tensor.memory(), start), "move working memory");
    }
    arena.close();
    arena = larger;
  }

  @Override
  public void close() {
    tensors.forEach(Tensor::close);
    arena.close();
  }
}
