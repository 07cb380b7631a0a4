package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutOfMemoryKillsTest {
  @TempDir Path directory;

  private long time;

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private OutOfMemoryKills kills(String... names) {
    return new OutOfMemoryKills(
        List.of(names).stream().map(directory::resolve).toList(), () -> time);
  }

  @Test
  void aCounterThatHasRisenIsNoticed() throws IOException {
    write("host", "pgfault 17\noom_kill 2\noom_kill_other 9\n");
    write("group", "oom 1\noom_kill 1\n");
    OutOfMemoryKills kills = kills("host", "group");
    write("host", "pgfault 18\noom_kill 2\noom_kill_other 10\n");
    assertFalse(kills.happened());
    write("group", "oom 2\noom_kill 2\n");
    assertTrue(kills.happened());
  }

  @Test
  void aKillOfSomeTimeAgoIsThatOfAnotherProgram() throws IOException {
    write("host", "oom_kill 2\n");
    OutOfMemoryKills kills = kills("host");
    write("host", "oom_kill 3\n");
    time += TimeUnit.SECONDS.toNanos(1);
    kills.watch();
    time += OutOfMemoryKills.RECENT;
    assertTrue(kills.happened());
    time++;
    assertFalse(kills.happened());
    write("host", "oom_kill 4\n");
    assertTrue(kills.happened());
  }

  @Test
  void whatCannotBeReadDoesNotCount() throws IOException {
    write("odd", "oom_kill many\n");
    assertFalse(kills("odd", "absent").happened());
  }
}
