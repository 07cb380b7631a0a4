package io.github.amb.models.onednn.primitive;

import java.util.List;

/** A step in the execution of a plan. */
public interface Step {
  void run();

  /** The arrays that it reads or writes; it must not use others of its plan. */
  default List<Tensor> arrays() {
    return List.of();
  }
}
