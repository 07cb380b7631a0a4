package io.github.amb.testing;

import java.util.List;

class OurDataSetsTest extends DataSetContract {
  /** Those that need no files, and the example, which is on this class path, too. */
  @Override
  protected List<String> dataSets() {
    return List.of("optdigits", "toy", "digits", "linear", "logistic", "rings");
  }
}
