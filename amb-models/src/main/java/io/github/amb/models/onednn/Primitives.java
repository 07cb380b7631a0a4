package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_FROM;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_MULTIPLE_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_0;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_1;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_TO;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_add;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_desc_init;
import static org.bytedeco.dnnl.global.dnnl.dnnl_concat_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_eltwise;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_post_ops;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_scratchpad_mode;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_reorder_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_scratchpad_mode_user;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.bytedeco.dnnl.const_dnnl_op_desc_t;
import org.bytedeco.dnnl.dnnl_binary_desc_t;
import org.bytedeco.dnnl.dnnl_memory_desc_t;
import org.bytedeco.dnnl.dnnl_post_ops;
import org.bytedeco.dnnl.dnnl_primitive_attr;
import org.bytedeco.dnnl.dnnl_primitive_desc;
import org.bytedeco.javacpp.Pointer;

/** Makes operations that share working memory; closes them all. */
final class Primitives implements AutoCloseable {
  private final Scratchpad scratchpad;
  private final List<Operation> operations = new ArrayList<>();

  Primitives(Scratchpad scratchpad) {
    this.scratchpad = scratchpad;
  }

  /**
   * An operation.
   *
   * @param descriptor one of oneDNN's operation descriptors
   * @param after applied to its result
   * @param forward for an operation of a backward pass that of the forward pass, otherwise null
   */
  Operation operation(Pointer descriptor, Activation after, Operation forward) {
    dnnl_primitive_desc hint = forward == null ? null : forward.description();
    return create(
        after,
        (description, attributes) ->
            dnnl_primitive_desc_create(
                description,
                new const_dnnl_op_desc_t(descriptor),
                attributes,
                OneDnn.ENGINE,
                hint));
  }

  /** Copies between formats. */
  Operation reorder(Tensor from, Tensor to) {
    return create(
            Activation.IDENTITY,
            (description, attributes) ->
                dnnl_reorder_primitive_desc_create(
                    description,
                    from.format(),
                    OneDnn.ENGINE,
                    to.format(),
                    OneDnn.ENGINE,
                    attributes))
        .with(DNNL_ARG_FROM, from)
        .with(DNNL_ARG_TO, to);
  }

  /**
   * Adds two arrays of the same format.
   *
   * @param sum may be one of them
   */
  Operation add(Tensor a, Tensor b, Tensor sum, Activation after) {
    var descriptor = new dnnl_binary_desc_t();
    int status =
        dnnl_binary_desc_init(descriptor, dnnl_binary_add, a.format(), b.format(), sum.format());
    OneDnn.check(status, "describe a sum");
    return operation(descriptor, after, null)
        .with(DNNL_ARG_SRC_0, a)
        .with(DNNL_ARG_SRC_1, b)
        .with(DNNL_ARG_DST, sum);
  }

  /**
   * Puts arrays one behind the other, along their second dimension.
   *
   * @return the operation, whose result the caller binds
   */
  Operation concatenation(List<Tensor> parts) {
    var formats = new dnnl_memory_desc_t(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      formats.getPointer(i).put(parts.get(i).format());
    }
    Operation operation =
        create(
            Activation.IDENTITY,
            (description, attributes) ->
                dnnl_concat_primitive_desc_create(
                    description, null, parts.size(), 1, formats, attributes, OneDnn.ENGINE));
    for (int i = 0; i < parts.size(); i++) {
      operation.with(DNNL_ARG_MULTIPLE_SRC + i, parts.get(i));
    }
    return operation;
  }

  /** Fills in a description with given attributes; returns oneDNN's status. */
  private interface Description {
    int fill(dnnl_primitive_desc description, dnnl_primitive_attr attributes);
  }

  private Operation create(Activation after, Description call) {
    var description = new dnnl_primitive_desc();
    int status = withAttributes(after, attributes -> call.fill(description, attributes));
    OneDnn.check(status, "describe an operation");
    Operation operation = new Operation(description).with(scratchpad);
    operations.add(operation);
    return operation;
  }

  private static int withAttributes(Activation after, ToIntFunction<dnnl_primitive_attr> call) {
    var attributes = new dnnl_primitive_attr();
    OneDnn.check(dnnl_primitive_attr_create(attributes), "create attributes");
    OneDnn.check(
        dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user),
        "set attributes");
    if (after != Activation.IDENTITY) {
      var chain = new dnnl_post_ops();
      OneDnn.check(dnnl_post_ops_create(chain), "create attributes");
      OneDnn.check(
          dnnl_post_ops_append_eltwise(chain, 1f, after.forward(), 0f, after.most()),
          "set attributes");
      OneDnn.check(dnnl_primitive_attr_set_post_ops(attributes, chain), "set attributes");
      dnnl_post_ops_destroy(chain);
    }
    int status = call.applyAsInt(attributes);
    dnnl_primitive_attr_destroy(attributes);
    return status;
  }

  /** The implementations of its convolutions, forward and backward. */
  List<String> convolutions() {
    return operations.stream()
        .filter(Operation::isConvolution)
        .map(Operation::implementation)
        .toList();
  }

  @Override
  public void close() {
    operations.forEach(Operation::close);
  }
}
