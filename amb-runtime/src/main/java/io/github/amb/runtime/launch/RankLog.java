package io.github.amb.runtime.launch;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** Copies what a rank prints to its log and remembers the line that says most about its end. */
final class RankLog {
  /** How the line begins that says most when native code breaks; other threads may go on then. */
  private static final String CRASH = "#  SIG";

  /** How a line begins that looks like the launcher's own, and so is none to be quoted. */
  private static final String REPORT = "amb: rank ";

  private final Path path;
  private BufferedWriter writer;
  private String lastLine = "";
  private boolean crashed;

  /** Name of the file, beside the logs, in which Java says all it knows of a crash. */
  static String crashReport(int rank) {
    return "rank-" + rank + "-crash.log";
  }

  /** Opens the log of {@code rank}, at its end if it exists. */
  RankLog(Path directory, int rank) throws IOException {
    path = directory.resolve("rank-" + rank + ".log");
    writer =
        new BufferedWriter(
            new OutputStreamWriter(
                Files.newOutputStream(
                    path,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND,
                    LinkOption.NOFOLLOW_LINKS),
                StandardCharsets.UTF_8));
  }

  /**
   * Starts a thread that reads {@code in} until its end.
   *
   * @param lines gets every line, too
   */
  Thread copy(String name, InputStream in, Consumer<String> lines) {
    Thread thread = new Thread(() -> copy(in, lines), name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void copy(InputStream in, Consumer<String> lines) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
        write(line);
      }
    } catch (IOException e) {
      // The rank is gone; what it wrote before has been read.
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

  /** Adds a line of the launcher's, which is none that the rank has printed. */
  synchronized void note(String line) {
    if (writer == null) {
      return;
    }
    try {
      writer.write(line);
      writer.newLine();
      writer.flush();
    } catch (IOException e) {
      System.err.println(
          "amb: cannot write " + path + ": " + e.getMessage() + "; the run continues");
      writer = null;
    }
  }

  private static boolean isTelling(String line) {
    return !line.isBlank()
        && !line.startsWith("\t")
        && !line.startsWith("#")
        && !line.startsWith(REPORT);
  }

  /** The line that says how native code broke; empty if it did not. */
  synchronized String crash() {
    return crashed ? lastLine : "";
  }

  /** The last line that is neither blank nor part of a stack trace, of a crash's, or a report. */
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
      System.err.println("amb: cannot close " + path + ": " + e.getMessage());
    }
    writer = null;
  }
}
