package io.github.amb.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user reads after a mistake: all texts of this program's wrong command lines and files are
 * in {@code messages.txt}, with the exit code before each. Other tests pin codes and places. {@code
 * -Damb.golden.write=DIRECTORY} replaces the file: read it as a user would.
 */
class MessagesTest {
  private static final String GOLDEN = "messages.txt";

  /** What is in a command line for the folder of the test's files. */
  private static final String FOLDER = "DIR";

  @TempDir Path directory;

  @Test
  void everyMistakeHasItsText() throws IOException {
    String golden = golden();
    Path files = Files.createDirectory(directory.resolve("files"));
    StringBuilder found = new StringBuilder();
    for (String line : golden.lines().toList()) {
      if (line.startsWith("# ")) {
        found.append(line).append('\n');
      } else if (line.startsWith("file ")) {
        String[] nameAndText = line.substring(5).split(": ", 2);
        Files.writeString(files.resolve(nameAndText[0]), nameAndText[1].replace("\\n", "\n"));
        found.append(line).append('\n');
      } else if (line.startsWith("$ ")) {
        found.append(line).append('\n').append(answer(line.substring(2), files));
      }
    }
    String write = System.getProperty("amb.golden.write");
    if (write != null) {
      Files.writeString(Path.of(write, GOLDEN), found);
    }
    assertEquals(golden, found.toString());
  }

  private static String golden() throws IOException {
    try (InputStream in = MessagesTest.class.getResourceAsStream(GOLDEN)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The exit code, and each line of standard error. */
  private static String answer(String command, Path files) {
    PrintStream standard = System.err;
    var bytes = new ByteArrayOutputStream();
    int code;
    try (var to = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setErr(to);
      code = Amb.run(List.of(command.replace(FOLDER, files.toString()).split(" ")));
    } finally {
      System.setErr(standard);
    }
    String text = bytes.toString(StandardCharsets.UTF_8).replace(files.toString(), FOLDER);
    return "  exit " + code + "\n" + text.indent(2);
  }
}
