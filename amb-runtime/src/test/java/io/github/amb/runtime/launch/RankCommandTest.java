package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.control.ControlServer;
import io.github.amb.runtime.control.RejectedConnections;
import io.github.amb.runtime.host.RemoteShell;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
class RankCommandTest {
  private static final RunSecret SECRET = RunSecret.draw();
  private static final Timeouts TIMEOUTS = Timeouts.chosen();

  @TempDir Path logs;

  /** What a killed rank has left is found by this variable. */
  @Test
  void eachStartOfARankHasAVariableOfItsOwn() throws Exception {
    try (ControlServer control = control();
        RankCommand command = new RankCommand(plan(), SECRET, control, TIMEOUTS)) {
      Set<String> found =
          Set.of(
              variable(command.of(new RankId(1, 0), RankPlacement.HERE)),
              variable(command.of(new RankId(2, 0), RankPlacement.HERE)),
              variable(command.of(new RankId(2, 1), RankPlacement.HERE)),
              variable(command.of(new RankId(2, 2), RankPlacement.HERE)));
      assertEquals(4, found.size());
    }
  }

  /** Other users see command lines; the environment of a process is its user's alone. */
  @Test
  void theSecretIsOnNoCommandLine() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    RankPlacement.Place there = new RankPlacement.Place("there", here, true);
    RankPlacement remote =
        new RankPlacement(here, List.of(there, there), RemoteShell.parse(RemoteShell.SSH), null);
    try (ControlServer control = control();
        RankCommand command = new RankCommand(plan(), SECRET, control, TIMEOUTS)) {
      for (RankPlacement placement : List.of(RankPlacement.HERE, remote)) {
        RankStart start = command.of(new RankId(1, 0), placement);
        String environment = start.command().environment().get(RunSecret.VARIABLE);
        String line = String.join(" ", start.command().command());
        assertFalse(line.contains(SECRET.text()), line);
        assertTrue((start.input() + environment).contains(SECRET.text()));
      }
    }
  }

  private LaunchPlan plan() {
    return LaunchPlan.local(3, List.of(), "Main", List.of(), logs, line -> {});
  }

  private static ControlServer control() throws IOException {
    return new ControlServer(
        InetAddress.getLoopbackAddress(),
        true,
        true,
        SECRET,
        TIMEOUTS.control(),
        new RejectedConnections(warning -> {}));
  }

  private static String variable(RankStart start) {
    return start.command().environment().get("AMB_RANK");
  }
}
