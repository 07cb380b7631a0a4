package io.github.amb.models.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.ProbeJvm;
import io.github.amb.models.onednn.primitive.OneDnn;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No memory of a model is freed while a thread computes with it. */
@Tag("system")
class LifetimeTest {
  private static final long LIMIT_SECONDS = 300;
  private static final String ALL = "rejected=" + LifetimeProbe.ROUNDS + "\n";

  @TempDir Path directory;

  @Test
  void aModelOfOneDnnIsFreedAfterItsLastUse() throws Exception {
    assumeTrue(OneDnn.isAvailable(), "there is no oneDNN for this host");
    assertEquals(
        ALL, ProbeJvm.output(directory, LIMIT_SECONDS, "512m", LifetimeProbe.class, "onednn"));
  }

  @Tag("lab")
  @Test
  void aModelOfDl4jIsFreedAfterItsLastUse() throws Exception {
    assertEquals(
        ALL, ProbeJvm.output(directory, LIMIT_SECONDS, "512m", LifetimeProbe.class, "dl4j"));
  }
}
