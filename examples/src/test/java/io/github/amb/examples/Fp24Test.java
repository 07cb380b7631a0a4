package io.github.amb.examples;

import io.github.amb.testing.CodecContract;
import java.util.List;

class Fp24Test extends CodecContract {
  @Override
  protected List<String> codecs() {
    return List.of("fp24", "fp24+ef", "fp24+zstd");
  }
}
