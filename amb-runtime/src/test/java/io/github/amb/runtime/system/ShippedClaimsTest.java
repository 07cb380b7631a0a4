package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The claims of shipped experiments that take less than ten minutes hold. Of {@code amb-digits} and
 * {@code amb-cifar10}, which take longer, the short form is checked.
 */
@Tag("system")
class ShippedClaimsTest {
  private static final Duration LIMIT = Duration.ofMinutes(30);

  @TempDir Path directory;

  @Test
  @Tag("lab")
  void claimsOfAShortExperimentHold() throws Exception {
    check("ec2-step-times --quick");
  }

  @ParameterizedTest
  @Tag("claims")
  @ValueSource(
      strings = {
        "ec2-step-times",
        "normalization-digits",
        "auto-time-limit",
        "asyncdiloco-toy",
        "kaust-quadratic",
        "birch-regimes",
        "amb-digits --quick",
        "amb-cifar10 --quick",
      })
  void claimsHold(String experiment) throws Exception {
    check(experiment);
  }

  /** Where {@code AMB_DATA_DIR} or {@code -DAMB_DATA_DIR} has the files of MNIST and CIFAR-10. */
  @ParameterizedTest
  @Tag("claims")
  @ValueSource(strings = {"amb-dg", "tf", "atomo-encoding", "halos"})
  void claimsOnDataHold(String experiment) throws Exception {
    String data = System.getProperty("AMB_DATA_DIR", System.getenv("AMB_DATA_DIR"));
    assumeTrue(
        data != null,
        "set AMB_DATA_DIR to a directory with mnist/ and cifar-10-batches-bin/ to run this test");
    check(experiment + " --data-dir " + data);
  }

  private void check(String experiment) throws Exception {
    String[] words = experiment.split(" ", 2);
    Path file = Path.of("../experiments", words[0] + ".yaml").toAbsolutePath().normalize();
    String more = words.length > 1 ? words[1] : "";

    String command = "experiment " + file + " --check --out out " + more;
    try (AmbProcess amb = AmbProcess.start(directory, command.strip())) {
      assertEquals(0, amb.awaitEnd(LIMIT), amb.everythingSaid());
    }
  }
}
