package io.github.amb.examples;

import io.github.amb.testing.SchemeContract;
import java.util.List;

class RennalaSgdTest extends SchemeContract {
  @Override
  protected List<String> schemes() {
    return List.of("rennala --rennala-gradients 2", "rennala --rennala-gradients 7");
  }
}
