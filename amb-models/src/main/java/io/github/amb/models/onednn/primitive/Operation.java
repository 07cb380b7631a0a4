package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bytedeco.dnnl.dnnl_exec_arg_t;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_primitive;
import org.bytedeco.dnnl.dnnl_primitive_desc;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * One of oneDNN's primitives with bound arguments. Running it is one native call without garbage.
 */
public final class Operation implements Step, AutoCloseable {
  private static final int MAX_ARGUMENTS = 12;

  private final dnnl_primitive_desc description;
  private final dnnl_primitive primitive = new dnnl_primitive();
  private final dnnl_exec_arg_t arguments = new dnnl_exec_arg_t(MAX_ARGUMENTS);
  private final List<Tensor> arrays = new ArrayList<>();
  private Runnable choices = () -> {};

  /**
   * @param description freed when this is closed
   */
  Operation(dnnl_primitive_desc description) {
    this.description = description;
    OneDnn.check(dnnl_primitive_create(primitive, description), "create an operation");
  }

  /** The format that it wants or makes. */
  public dnnl_memory_desc format(int query) {
    return dnnl_primitive_desc_query_md(description, query, 0);
  }

  /** What the operations of its backward pass are made with. */
  public dnnl_primitive_desc description() {
    return description;
  }

  boolean isConvolution() {
    try (IntPointer kind = new IntPointer(1)) {
      query(description, dnnl_query_primitive_kind, kind);
      return kind.get() == dnnl_convolution;
    }
  }

  /** Which of oneDNN's implementations carries it out, such as {@code jit:avx512_core}. */
  String implementation() {
    return implementation(description);
  }

  /** Which of oneDNN's implementations {@code description} selects. */
  static String implementation(dnnl_primitive_desc description) {
    try (PointerPointer<BytePointer> name = new PointerPointer<>(1)) {
      query(description, dnnl_query_impl_info_str, name);
      return name.get(BytePointer.class, 0).getString();
    }
  }

  private static void query(dnnl_primitive_desc description, int what, Pointer answer) {
    OneDnn.check(dnnl_primitive_desc_query(description, what, 0, answer), "describe an operation");
  }

  /**
   * Binds an argument.
   *
   * @param tensor null for an argument that this operation does without
   */
  public Operation with(int argument, Tensor tensor) {
    if (tensor != null) {
      arguments.getPointer(arrays.size()).arg(argument).memory(tensor.memory());
      arrays.add(tensor);
    }
    return this;
  }

  /**
   * Binds an argument to an array that is chosen before each run.
   *
   * @param usual one of the arrays, all of the same format
   */
  public void with(int argument, Tensor usual, Supplier<Tensor> chosen) {
    dnnl_exec_arg_t place = arguments.getPointer(arrays.size());
    Runnable before = choices;
    choices =
        () -> {
          before.run();
          place.memory(chosen.get().memory());
        };
    with(argument, usual);
  }

  /** Binds its working memory. */
  public Operation with(Scratchpad scratchpad) {
    dnnl_memory_desc format = format(dnnl_query_scratchpad_md);
    if (Tensor.bytes(format) > 0) {
      with(DNNL_ARG_SCRATCHPAD, scratchpad.tensor(format));
    }
    return this;
  }

  @Override
  public List<Tensor> arrays() {
    return arrays;
  }

  @Override
  public void run() {
    choices.run();
    int status = dnnl_primitive_execute(primitive, OneDnn.STREAM, arrays.size(), arguments);
    OneDnn.check(status, "run an operation");
  }

  @Override
  public void close() {
    dnnl_primitive_destroy(primitive);
    dnnl_primitive_desc_destroy(description);
  }
}
