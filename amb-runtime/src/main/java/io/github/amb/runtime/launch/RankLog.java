package io.github.amb.runtime.launch;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.thread.Daemon;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Copies what a rank prints to its log, and remembers the line that says most about its end. */
final class RankLog {
  /**
   * Start of the most telling line after a crash of native code; other threads may print more
   * lines.
   */
  private static final String CRASH = "#  SIG";

  /** Start of a line that looks like the launcher's own, which must not be quoted as the rank's. */
  private static final String REPORT = "amb: rank ";

  private final Path path;
  private final Consumer<String> warnings;
  private BufferedWriter writer;
  private String lastLine = "";
  private boolean crashed;

  /** Name of Java's file about a crash, in the directory of the logs. */
  static String crashReport(int rank) {
    return "rank-" + rank + "-crash.log";
  }

  /**
   * Opens the log of {@code rank} for appending.
   *
   * @param warnings receives a line if the log cannot be written
   */
  RankLog(Path directory, int rank, Consumer<String> warnings) throws IOException {
    this.warnings = warnings;
    path = directory.resolve("rank-" + rank + ".log");
    writer =
        new BufferedWriter(
            new OutputStreamWriter(BoundedFile.append(path), StandardCharsets.UTF_8));
  }

  /**
   * Starts a thread that reads {@code in} to its end.
   *
   * @param name name of the thread
   * @param in standard output or error of the rank
   * @param lines receives every line, besides the log
   */
  Thread copy(String name, InputStream in, Consumer<String> lines) {
    return Daemon.start(name, () -> copy(in, lines));
  }

  private void copy(InputStream in, Consumer<String> lines) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
        write(line);
      }
    } catch (IOException e) {
      // The rank has ended; what it wrote before was read.
    }
  }

  private synchronized void write(String line) {
    boolean crash = line.startsWith(CRASH);
    if (crash || !crashed && isTelling(line)) {
      lastLine = line.strip();
      crashed |= crash;
    }
    note(line);
  }

  /** Adds a line of the launcher, which is never quoted as the rank's last line. */
  synchronized void note(String line) {
    if (writer == null) {
      return;
    }
    try {
      writer.write(line);
      writer.newLine();
      writer.flush();
    } catch (IOException e) {
      warnings.accept("cannot write " + path + ": " + e.getMessage() + "; the run continues");
      writer = null;
    }
  }

  private static boolean isTelling(String line) {
    return !line.isBlank()
        && !line.startsWith("\t")
        && !line.startsWith("#")
        && !line.startsWith(REPORT);
  }

  /** The line that says how native code crashed; empty if it did not. */
  synchronized String crash() {
    return crashed ? lastLine : "";
  }

  /** The last line that is not blank, nor part of a stack trace or crash, nor a report. */
  synchronized String lastLine() {
    return lastLine;
  }

  synchronized void close() {
    if (writer == null) {
      return;
    }
    try {
      writer.close();
    } catch (IOException e) {
      warnings.accept("cannot close " + path + ": " + e.getMessage());
    }
    writer = null;
  }
}
