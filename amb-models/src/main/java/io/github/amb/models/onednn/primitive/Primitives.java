package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Activation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_post_ops;
import org.bytedeco.dnnl.dnnl_primitive_attr;
import org.bytedeco.dnnl.dnnl_primitive_desc;
import org.bytedeco.javacpp.PointerPointer;

/** Creates operations that share working memory, and closes them. */
public final class Primitives implements AutoCloseable {
  private final Scratchpad scratchpad;
  private final List<Operation> operations = new ArrayList<>();

  public Primitives(Scratchpad scratchpad) {
    this.scratchpad = scratchpad;
  }

  /**
   * An operation, whose arguments the caller binds.
   *
   * @param what it is, for error messages
   * @param after applied to its result
   */
  public Operation operation(String what, Activation after, Description call) {
    return operation(
        what,
        chain -> {
          if (after != Activation.IDENTITY) {
            var function = EltwiseFunction.of(after);
            append(chain, function.forward(), 0f, function.most());
          }
        },
        call);
  }

  private Operation operation(String what, Consumer<dnnl_post_ops> after, Description call) {
    var description = new dnnl_primitive_desc();
    int status = withAttributes(after, attributes -> call.fill(description, attributes));
    return described(what, status, description);
  }

  private static void append(dnnl_post_ops chain, int function, float alpha, float beta) {
    OneDnn.check(dnnl_post_ops_append_eltwise(chain, function, alpha, beta), "set attributes");
  }

  /**
   * Multiplies matrices, {@code result = factor a b + summand}; the first dimensions count them.
   *
   * @param summand with 1 for dimensions along which it is the same; null for none
   */
  public Operation product(Tensor a, Tensor b, Tensor result, float factor, Tensor summand) {
    Operation product =
        product(
            a,
            b,
            result,
            chain -> {
              append(chain, dnnl_eltwise_linear, factor, 0f);
              if (summand != null) {
                OneDnn.check(
                    dnnl_post_ops_append_binary(chain, dnnl_binary_add, summand.format()),
                    "set attributes");
              }
            });
    return product.with(2 * DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE | DNNL_ARG_SRC_1, summand);
  }

  /** Multiplies matrices, and adds the product to the result or replaces it. */
  public Operation product(Tensor a, Tensor b, Tensor result, boolean added) {
    return product(
        a,
        b,
        result,
        chain -> {
          if (added) {
            OneDnn.check(
                dnnl_post_ops_append_sum(chain, 1f, 0, dnnl_data_type_undef), "set attributes");
          }
        });
  }

  private Operation product(Tensor a, Tensor b, Tensor result, Consumer<dnnl_post_ops> after) {
    return operation(
            "a matrix product",
            after,
            (description, attributes) ->
                dnnl_matmul_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    a.format(),
                    b.format(),
                    null,
                    result.format(),
                    attributes))
        .with(DNNL_ARG_SRC, a)
        .with(DNNL_ARG_WEIGHTS, b)
        .with(DNNL_ARG_DST, result);
  }

  private Operation described(String what, int status, dnnl_primitive_desc description) {
    OneDnn.check(status, "describe " + what);
    Operation operation = new Operation(description).with(scratchpad);
    operations.add(operation);
    return operation;
  }

  /** Copies between formats. */
  public Operation reorder(Tensor from, Tensor to) {
    return operation(
            "a copy",
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
   * A function of two arrays, entry by entry.
   *
   * @param function oneDNN's constant for it
   */
  public Operation binary(int function, Tensor a, Tensor b, Tensor result, Activation after) {
    return operation(
            "a sum or a product",
            after,
            (description, attributes) ->
                dnnl_binary_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    function,
                    a.format(),
                    b.format(),
                    result.format(),
                    attributes))
        .with(DNNL_ARG_SRC_0, a)
        .with(DNNL_ARG_SRC_1, b)
        .with(DNNL_ARG_DST, result);
  }

  /**
   * Concatenates arrays along their second dimension.
   *
   * @return the operation; the caller binds its result
   */
  public Operation concatenation(List<Tensor> parts) {
    var formats = new PointerPointer<dnnl_memory_desc>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      formats.put(i, parts.get(i).format());
    }
    // The binding that takes several formats hands the description out by a pointer to a pointer.
    var made = new PointerPointer<dnnl_primitive_desc>(1);
    int status =
        withAttributes(
            none -> {},
            attributes ->
                dnnl_concat_primitive_desc_create(
                    made, OneDnn.ENGINE, null, parts.size(), 1, formats, attributes));
    Operation operation =
        described("a concatenation", status, made.get(dnnl_primitive_desc.class, 0));
    for (int i = 0; i < parts.size(); i++) {
      operation.with(DNNL_ARG_MULTIPLE_SRC + i, parts.get(i));
    }
    return operation;
  }

  /** One of oneDNN's calls that describe an operation. */
  public interface Description {
    /**
     * @param description receives what it describes
     * @param attributes what the operation does beside
     * @return oneDNN's status
     */
    int fill(dnnl_primitive_desc description, dnnl_primitive_attr attributes);

    /** This description with oneDNN's matrix product as implementation, where there is one. */
    default Description asMatrixProduct() {
      return (description, attributes) -> {
        int status = fill(description, attributes);
        while (status == dnnl_success && !Operation.implementation(description).contains("gemm")) {
          if (dnnl_primitive_desc_next_impl(description) != dnnl_success) {
            dnnl_primitive_desc_destroy(description);
            return fill(description, attributes);
          }
        }
        return status;
      };
    }
  }

  private static int withAttributes(
      Consumer<dnnl_post_ops> after, ToIntFunction<dnnl_primitive_attr> call) {
    var attributes = new dnnl_primitive_attr();
    OneDnn.check(dnnl_primitive_attr_create(attributes), "create attributes");
    OneDnn.check(
        dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user),
        "set attributes");
    var chain = new dnnl_post_ops();
    OneDnn.check(dnnl_post_ops_create(chain), "create attributes");
    after.accept(chain);
    OneDnn.check(dnnl_primitive_attr_set_post_ops(attributes, chain), "set attributes");
    dnnl_post_ops_destroy(chain);
    int status = call.applyAsInt(attributes);
    dnnl_primitive_attr_destroy(attributes);
    return status;
  }

  /** Names of the implementations of its convolutions, forward and backward. */
  public List<String> convolutions() {
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
