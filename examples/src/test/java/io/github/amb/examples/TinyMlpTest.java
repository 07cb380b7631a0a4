package io.github.amb.examples;

import io.github.amb.testing.NetworkContract;
import java.util.List;

class TinyMlpTest extends NetworkContract {
  @Override
  protected List<String> networks() {
    return List.of("tiny-mlp");
  }
}
