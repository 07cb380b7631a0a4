package io.github.amb.models.onednn;

/** A step in the execution of a plan. */
interface Step {
  void run();
}
