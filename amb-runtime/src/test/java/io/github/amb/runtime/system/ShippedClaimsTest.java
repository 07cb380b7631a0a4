package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The claims of shipped experiments hold, as far as they need no data set and at most about three
 * minutes. Of the others that take about ten minutes or less, {@code auto-time-limit} and {@code
 * amb-digits} are here in their short form, {@code normalization-digits} is not, and {@code amb-dg}
 * needs MNIST.
 */
@Tag("lab")
class ShippedClaimsTest {
  private static final Duration LIMIT = Duration.ofMinutes(15);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ec2-step-times",
        "auto-time-limit --quick",
        "amb-digits --quick",
        "amb-cifar10 --quick",
      })
  void claimsHold(String experiment) throws Exception {
    String[] words = experiment.split(" ", 2);
    Path file = Path.of("../experiments", words[0] + ".yaml").toAbsolutePath().normalize();
    String more = words.length > 1 ? words[1] : "";

    String command = "experiment " + file + " --check --out out " + more;
    try (AmbProcess amb = AmbProcess.start(directory, command.strip())) {
      assertEquals(0, amb.awaitEnd(LIMIT), amb.everythingSaid());
    }
  }
}
