package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Damaged logs give records or an exception that names the file and the line. */
class LogReaderFuzzTest {
  private static final byte[] LOG =
      """
      {"type":"step","time":2.0,"step":1,"loss":2.2,"learning_rate":0.001,"num_samples":128}
      {"type":"collect","time":2.0,"step":1,"worker_count":2,"wait_time":0.25,"total_samples":128}
      {"type":"evaluation","time":2.0,"step":1,"test_loss":2.0,"accuracy":0.25}
      """
          .getBytes(StandardCharsets.UTF_8);
  private static Path file;

  @BeforeContainer
  static void createFile() throws IOException {
    file = Files.createTempFile("fuzz", ".jsonl");
  }

  @AfterContainer
  static void deleteFile() throws IOException {
    Files.delete(file);
  }

  @Property(tries = 1000)
  void aDamagedLogIsReadOrRejected(@ForAll @Size(max = 4) int @IntRange(max = 100_000) [] bits)
      throws IOException {
    byte[] damaged = LOG.clone();
    for (int bit : bits) {
      int position = Math.floorMod(bit, damaged.length * 8);
      damaged[position / 8] ^= (byte) (1 << position % 8);
    }
    expectReadOrRejected(damaged);
  }

  @Property(tries = 500)
  void arbitraryBytesAreReadOrRejected(@ForAll @Size(max = 100) byte[] content) throws IOException {
    expectReadOrRejected(content);
  }

  /** What Java's JSON reader takes as another encoding: such a log is rejected like any other. */
  @Example
  void marksOfOtherEncodingsAreRejected() throws IOException {
    for (int[] mark : new int[][] {{0, 0, 0xff, 0xfe}, {0xfe, 0xff, 0, 0}, {0, 0, '{', 0}}) {
      byte[] content = new byte[mark.length + 1];
      for (int i = 0; i < mark.length; i++) {
        content[i] = (byte) mark[i];
      }
      content[mark.length] = '\n';
      expectReadOrRejected(content);
    }
  }

  private static void expectReadOrRejected(byte[] content) throws IOException {
    Files.write(file, content);
    try {
      assertTrue(LogReader.read(file).size() <= content.length);
    } catch (IOException e) {
      String message = e.getMessage();
      assertTrue(message.startsWith(file + " line "), message);
      assertTrue(message.codePoints().noneMatch(LogReaderFuzzTest::isObeyed), message);
    }
  }

  /** By a terminal. */
  private static boolean isObeyed(int c) {
    return Character.isISOControl(c) && c != '\n' && c != '\t';
  }
}
