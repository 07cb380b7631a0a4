package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command that runs at the end of a run. */
@Timeout(120)
class EndCommandTest extends VirtualRuns {
  /** Writes what it was told beside the run; no word of it has a blank. */
  private static final String TELLS =
      " --on-end printf${IFS}'%s|'${IFS}$AMB_EXIT_CODE${IFS}\"$AMB_CAUSE\">>$AMB_RUN.end";

  private static final String RUN = "toy fmb rms 16" + SMALL + " --last-step 2";

  private String told(RunDirectory run) throws IOException {
    return Files.readString(Path.of(run.path() + ".end"));
  }

  @Test
  void aRunThatIsDoneHasCodeZeroAndNoCause() throws IOException {
    assertEquals("0||", told(train("run", RUN + TELLS)));
  }

  @Test
  void aRunThatFailsTellsItsCause() throws IOException {
    RunDirectory run = train("run", RUN + " --inject nan:rank=1,step=2" + TELLS, 1);
    assertEquals("1|" + run.read().ending().cause() + "|", told(run));
  }

  /** It is typed each time, unlike what a run directory may provide, and not asked for. */
  @Test
  void aResumedRunHasNoneUnlessTold() throws IOException {
    RunDirectory run = train("run", RUN + TELLS);
    resume("run", "--last-step 4");
    assertEquals("0||", told(run));
    resume("run", "--last-step 6" + TELLS);
    assertEquals("0||0||", told(run));
  }

  @Test
  void aFileDoesNotProvideIt() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "on-end: 'false'\n");
    List<String> arguments = List.of("--config", file.toString());
    UsageException e = assertThrows(UsageException.class, () -> new TrainCommand().run(arguments));
    assertTrue(e.getMessage().contains("line 1: on-end"), e.getMessage());
  }
}
