package io.github.amb.examples;

import io.github.amb.testing.SchemeContract;
import java.util.List;

class RennalaSgdTest extends SchemeContract {
  @Override
  protected List<String> schemes() {
    return List.of("my-rennala --rennala-gradients 2", "my-rennala --rennala-gradients 7");
  }
}
