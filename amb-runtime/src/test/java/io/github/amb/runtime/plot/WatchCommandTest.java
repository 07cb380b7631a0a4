package io.github.amb.runtime.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.plots.ExampleRun;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WatchCommandTest {
  @TempDir Path folder;
  private String run;

  @BeforeEach
  void write() {
    run = new ExampleRun("fmb").write(folder).path().toString();
  }

  private static PrintStream stream(OutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }

  private static String problem(String... arguments) {
    WatchCommand command = new WatchCommand();
    return assertThrows(UsageException.class, () -> command.run(List.of(arguments))).getMessage();
  }

  private static String get(String url) throws IOException {
    return new String(URI.create(url).toURL().openStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void itServesUntilItIsInterrupted() throws Exception {
    PipedInputStream printed = new PipedInputStream();
    PrintStream lines = stream(new PipedOutputStream(printed));
    OptionsCommand command = new WatchCommand().printingTo(lines, lines);
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread program =
        new Thread(
            () -> {
              try {
                command.run(List.of(run));
              } catch (Throwable e) {
                end.set(e);
              }
            });
    program.start();
    String url =
        new BufferedReader(new InputStreamReader(printed, StandardCharsets.UTF_8)).readLine();
    assertTrue(url.matches("http://127\\.0\\.0\\.1:\\d+/"), url);
    assertTrue(get(url).contains("uPlot"));
    assertTrue(get(url + "metrics").contains("amb_steps_total 40"));
    program.interrupt();
    program.join();
    assertEquals(InterruptedException.class, end.get().getClass());
    assertThrows(IOException.class, () -> get(url));
  }

  @Test
  void helpIsPrinted() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    assertEquals(
        0, new WatchCommand().printingTo(stream(printed), System.err).run(List.of("--help")));
    assertTrue(printed.toString(StandardCharsets.UTF_8).contains("--port"));
  }

  @Test
  void oneRunIsExpected() {
    assertEquals("expected one run directory (runs/<id>), found 0", problem());
    assertEquals("expected one run directory (runs/<id>), found 2", problem(run, run));
    assertTrue(problem(folder.toString()).contains("found no run.json in it"));
  }

  @Test
  void aPortIsANumberThatFits() {
    assertEquals("--port: expected 0 to 65535, found '65536'", problem(run, "--port", "65536"));
    assertEquals("--port: expected 0 to 65535, found 'x'", problem(run, "--port", "x"));
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = Integer.toString(other.getLocalPort());
      String problem = problem(run, "--port", port);
      assertTrue(
          problem.startsWith("expected a free port to listen at, found 127.0.0.1:" + port),
          problem);
    }
  }
}
