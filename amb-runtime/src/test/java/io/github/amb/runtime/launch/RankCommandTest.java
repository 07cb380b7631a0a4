package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.control.ControlServer;
import io.github.amb.runtime.control.RejectedConnections;
import io.github.amb.runtime.mpj.RunSecret;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
class RankCommandTest {
  @TempDir Path logs;

  /** What a killed rank has left is found by this variable. */
  @Test
  void eachStartOfARankHasAVariableOfItsOwn() throws Exception {
    LaunchPlan plan = LaunchPlan.local(3, List.of(), "Main", List.of(), logs, line -> {});
    RunSecret secret = RunSecret.draw();
    Timeouts timeouts = Timeouts.chosen();
    try (ControlServer control =
            new ControlServer(
                InetAddress.getLoopbackAddress(),
                false,
                true,
                secret,
                timeouts.control(),
                new RejectedConnections(warning -> {}));
        RankCommand command = new RankCommand(plan, secret, control, timeouts)) {
      Set<String> found =
          Set.of(
              variable(command.of(new RankId(1, 0), RankPlacement.HERE)),
              variable(command.of(new RankId(2, 0), RankPlacement.HERE)),
              variable(command.of(new RankId(2, 1), RankPlacement.HERE)),
              variable(command.of(new RankId(2, 2), RankPlacement.HERE)));
      assertEquals(4, found.size());
    }
  }

  private static String variable(RankStart start) {
    return start.command().environment().get("AMB_RANK");
  }
}
