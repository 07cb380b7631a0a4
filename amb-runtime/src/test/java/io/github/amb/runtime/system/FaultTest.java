package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.MembershipRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Broken and lost results. */
@EnabledOnOs(OS.LINUX)
class FaultTest {
  private static final String RUN =
      "train toy fmb rms 16 --workers 2 --evaluate last --last-step 8 ";

  @TempDir Path directory;

  @Test
  void aGradientThatIsNotANumberEndsTheRunAndIsNamed() throws Exception {
    AmbProcess amb = AmbProcess.run(directory, RUN + "--inject nan:rank=2,step=4");
    assertNotEquals(0, amb.exitCode());
    List<String> lines = amb.stderr();
    String cause = lines.get(lines.size() - 1);
    assertTrue(
        cause.matches(
            "amb: rank 0 .*: gradient of rank 2, block conv1.b, .* smaller learning rate"),
        cause);
    assertEquals(3, amb.run().read().ending().steps());
  }

  @Test
  void itIsLeftOutOnRequest() throws Exception {
    AmbProcess amb =
        AmbProcess.run(directory, RUN + "--inject nan:rank=2,step=4 --non-finite drop");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    String log = Files.readString(amb.run().console(0));
    assertTrue(
        log.contains(
            "result of rank 2 for step 4 dropped, 16 examples: block conv1.b, which has NaN"),
        log);
    assertEquals(8, amb.run().read().ending().steps());
  }

  /** Master and worker would wait for each other for good. */
  @Test
  void aResultThatIsLostOnItsWayIsMadeAgain() throws Exception {
    AmbProcess amb =
        AmbProcess.run(directory, RUN + "--inject drop-frame:rank=2,step=4 --dead-after 1");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    assertEquals(8, amb.run().read().ending().steps());
    List<MembershipRecord> epochs =
        amb.run().masterRecords().stream()
            .filter(MembershipRecord.class::isInstance)
            .map(MembershipRecord.class::cast)
            .toList();
    assertEquals(List.of(1, 2), epochs.get(0).workers());
    assertTrue(
        epochs.get(0).cause().startsWith("frames were lost: rank 2 has sent"), epochs.toString());
    AmbProcess whole = AmbProcess.run(directory.resolve("whole"), RUN);
    assertEquals(
        whole.run().read().ending().parametersSha256(),
        amb.run().read().ending().parametersSha256());
  }

  @Test
  void aResultOfTheWrongSizeIsNamed() throws Exception {
    AmbProcess amb = AmbProcess.run(directory, RUN + "--inject corrupt-frame:rank=1,step=3");
    assertNotEquals(0, amb.exitCode());
    List<String> lines = amb.stderr();
    assertTrue(
        lines.get(lines.size() - 1).contains("rank 1: expected GRADIENT with"), lines.toString());
  }
}
