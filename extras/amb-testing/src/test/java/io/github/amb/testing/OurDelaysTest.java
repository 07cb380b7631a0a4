package io.github.amb.testing;

import io.github.amb.core.delay.DelayModels;
import java.util.List;

class OurDelaysTest extends DelayModelContract {
  @Override
  protected List<String> delays() {
    return DelayModels.ALL.names();
  }
}
