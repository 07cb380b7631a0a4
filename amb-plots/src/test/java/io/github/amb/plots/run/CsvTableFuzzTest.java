package io.github.amb.plots.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class CsvTableFuzzTest {
  private static Path file;

  @BeforeContainer
  static void createFile() throws IOException {
    file = Files.createTempFile("fuzz", ".csv");
  }

  @AfterContainer
  static void deleteFile() throws IOException {
    Files.delete(file);
  }

  @Property(tries = 500)
  void anyTextIsReadOrRejected(
      @ForAll
          @Chars({',', '\n', '\r', '.', '-', 'e', 'N', 'a'})
          @CharRange(from = '0', to = '9')
          @StringLength(max = 80)
          String text)
      throws IOException {
    Files.writeString(file, text);
    expectReadOrRejected();
  }

  @Property(tries = 500)
  void anyBytesAreReadOrRejected(@ForAll @Size(max = 80) byte[] content) throws IOException {
    Files.write(file, content);
    expectReadOrRejected();
  }

  private static void expectReadOrRejected() throws IOException {
    try {
      CsvTable table = CsvTable.read(file);
      for (int row = 0; row < table.size(); row++) {
        table.value(row, 0, "a");
      }
    } catch (UsageException e) {
      assertTrue(e.getMessage().startsWith(file + " line "), e.getMessage());
    } catch (CharacterCodingException e) {
      // RunReader says that the logs are not UTF-8.
    }
  }
}
