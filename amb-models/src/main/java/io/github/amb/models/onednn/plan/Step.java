package io.github.amb.models.onednn.plan;

/** A step in the execution of a plan. */
public interface Step {
  void run();
}
