package io.github.amb.runtime.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The terminal on standard output and its number of columns: {@code COLUMNS} if that is set,
 * otherwise the answer of {@code stty}, asked again after a second as the window may be resized.
 */
public final class TerminalDevice implements IntSupplier {
  private static final int USUAL = 80;
  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

  private final String columns;
  private final IntSupplier stty;
  private final LongSupplier nanos;
  private int width;
  private long asked = Long.MIN_VALUE;

  /**
   * @param environment may have {@code COLUMNS}
   * @param stty asks the terminal for its number of columns; 0 if it does not answer
   * @param nanos a clock in nanoseconds
   */
  TerminalDevice(Map<String, String> environment, IntSupplier stty, LongSupplier nanos) {
    columns = environment.getOrDefault("COLUMNS", "");
    this.stty = stty;
    this.nanos = nanos;
  }

  /**
   * The terminal; empty if standard output is not a terminal, or one that cannot move its cursor
   * back.
   */
  public static Optional<TerminalDevice> find(Map<String, String> environment) {
    String term = environment.getOrDefault("TERM", "dumb");
    Path device = device();
    return term.equals("dumb") || device == null
        ? Optional.empty()
        : Optional.of(new TerminalDevice(environment, () -> ask(device), System::nanoTime));
  }

  /** Number of columns of the terminal on standard output; 0 if there is none. */
  public static int width() {
    return find(System.getenv()).map(TerminalDevice::getAsInt).orElse(0);
  }

  /** {@link System#console} would ask for standard input too, and from Java 22 on for neither. */
  private static Path device() {
    try {
      Path device = Files.readSymbolicLink(STANDARD_OUTPUT);
      return device.toString().matches("/dev/(pts/\\d+|tty.*|console)") ? device : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static int ask(Path device) {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(device.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.matches("\\d+ \\d{1,6}\\s*")
          ? Integer.parseInt(answer.strip().split(" ")[1])
          : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** The number of columns. */
  @Override
  public int getAsInt() {
    if (columns.matches("[1-9]\\d{0,5}")) {
      return Integer.parseInt(columns);
    }
    long now = nanos.getAsLong();
    if (asked == Long.MIN_VALUE || now - asked >= INTERVAL) {
      asked = now;
      int found = stty.getAsInt();
      width = found > 0 ? found : USUAL;
    }
    return width;
  }
}
