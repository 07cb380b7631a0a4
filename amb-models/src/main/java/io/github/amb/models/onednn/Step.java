package io.github.amb.models.onednn;

/** Something that a plan does in its turn. */
interface Step {
  void run();
}
