package io.github.amb.runtime.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("system")
@EnabledOnOs(OS.LINUX)
class RemoteShellTest {
  private static final long LIMIT_SECONDS = 30;

  @Test
  void hostAndBashComeLast() {
    assertEquals(
        List.of("ssh", "-p", "22", "h", "bash"),
        RemoteShell.parse(" ssh  -p 22 ").on("h").command());
    assertThrows(UsageException.class, () -> RemoteShell.parse(" "));
  }

  @Property(tries = 60)
  void wordsAndVariablesArriveAsTheyAre(
      @ForAll @Size(max = 4) List<@CharRange(from = '\1', to = '\u017f') String> words,
      @ForAll @CharRange(from = '\1', to = '\177') String value)
      throws Exception {
    StringBuilder expected = new StringBuilder(value + "|");
    words.forEach(word -> expected.append(word).append('\0'));
    String program = "printf '%s|' \"$V\"; [ $# = 0 ] || printf '%s\\0' \"$@\"";
    List<String> arguments = new ArrayList<>(List.of("-c", program, "x"));
    arguments.addAll(words);
    String script = RemoteShell.script(Path.of("/"), Map.of("V", value), "/bin/bash", arguments);
    assertArrayEquals(expected.toString().getBytes(StandardCharsets.UTF_8), bash(script));
  }

  @Test
  void theProgramInheritsTheRestOfTheInput() throws Exception {
    String script =
        RemoteShell.script(
            Path.of("/usr"), Map.of(), "/bin/bash", List.of("-c", "pwd; read -r x; echo \"$x\""));
    assertEquals("/usr\nfor the program\n", new String(bash(script + "for the program\n")));
    String elsewhere =
        RemoteShell.script(Path.of("/no/such"), Map.of(), "/bin/bash", List.of("-c", "echo here"));
    assertEquals("here\n", new String(bash(elsewhere)));
  }

  @Test
  void whereThereIsNoSuchJavaThePathsIsTaken() throws Exception {
    String script =
        RemoteShell.script(Path.of("/"), Map.of("JAVA_HOME", "/j"), "/no/java", List.of("-x"));
    String output = new String(bash(script.replace("exec", "echo")));
    assertEquals("/j/bin/java -x\n", output);
  }

  @Test
  void onlyProcessesWithTheVariableAreKilled() throws Exception {
    String own = "AMB_RANK=test-" + ProcessHandle.current().pid() + "/1";
    Process one = sleep(own);
    Process other = sleep(own + "0");
    try {
      bash(RemoteShell.killScript(own));
      assertTrue(one.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals(137, one.exitValue());
      assertTrue(other.isAlive());
    } finally {
      one.destroyForcibly();
      other.destroyForcibly();
    }
    assertThrows(IllegalArgumentException.class, () -> RemoteShell.killScript("a=$(x)"));
  }

  private static Process sleep(String variable) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "300");
    int end = variable.indexOf('=');
    builder.environment().put(variable.substring(0, end), variable.substring(end + 1));
    return builder.start();
  }

  private static byte[] bash(String input) throws Exception {
    Process process = new ProcessBuilder("bash").start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
      byte[] output = process.getInputStream().readAllBytes();
      assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
