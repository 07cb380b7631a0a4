package io.github.amb.runtime.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What {@code amb doctor} has said, and its exit code. */
record Diagnosis(int code, String text) {
  static Diagnosis of(CheckedMachine machine, String... arguments) throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      int code = new DoctorCommand(out, machine).run(List.of(arguments));
      return new Diagnosis(code, bytes.toString(StandardCharsets.UTF_8));
    }
  }

  /** The only one of a subject. */
  String line(String subject) {
    List<String> lines =
        text.lines()
            .filter(line -> line.matches("(ok|warning|failed) +" + subject + " .*"))
            .toList();
    assertEquals(1, lines.size(), subject + " in " + text);
    return lines.get(0);
  }

  void assertLine(String expected) {
    assertEquals(expected, line(expected.split(" +", 3)[1]));
  }
}
