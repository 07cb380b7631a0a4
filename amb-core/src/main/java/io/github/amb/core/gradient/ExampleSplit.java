package io.github.amb.core.gradient;

/** Which training example each worker meets at each position of its own endless order. */
interface ExampleSplit {
  /** Index of the training example that a worker meets at {@code position}, from 0. */
  int at(int worker, long position);
}
