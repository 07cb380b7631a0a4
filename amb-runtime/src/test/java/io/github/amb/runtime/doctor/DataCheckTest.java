package io.github.amb.runtime.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.models.data.DataSets;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCheckTest {
  private static final int PIXELS = 28 * 28;

  @TempDir Path folder;

  private void assertData(int code, String line, String dataSet) throws Exception {
    Diagnosis diagnosis =
        Diagnosis.of(new SoundMachine(), dataSet, "--data-dir", folder.toString());
    diagnosis.assertLine(line);
    assertEquals(code, diagnosis.code());
  }

  /** A small data set in the four files of MNIST. */
  private void writeMnist() throws Exception {
    Files.createDirectory(folder.resolve("mnist"));
    for (String part : new String[] {"train", "t10k"}) {
      write(part + "-images-idx3-ubyte", 16 + 4 * PIXELS, 0x803, 4, 28, 28);
      write(part + "-labels-idx1-ubyte", 8 + 4, 0x801, 4);
    }
  }

  private void write(String name, int bytes, int... head) throws Exception {
    ByteBuffer content = ByteBuffer.allocate(bytes);
    for (int number : head) {
      content.putInt(number);
    }
    Files.write(folder.resolve("mnist").resolve(name), content.array());
  }

  @Test
  void dataWithoutFilesAreOk() throws Exception {
    assertData(0, "ok       data         toy, no files needed", "toy");
  }

  @Test
  void unknownDataSetsFailWithTheNamesThatThereAre() throws Exception {
    assertData(1, "failed   data         unknown data set 'mnst', did you mean 'mnist'?", "mnst");
    assertData(
        1,
        "failed   data         unknown data set 'nosuch'; expected one of %s, or a path of your own, as ./nosuch"
            .formatted(String.join(", ", DataSets.ALL.names())),
        "nosuch");
  }

  @Test
  void missingFilesFailWithTheRemedyOnce() throws Exception {
    assertData(
        1,
        "failed   data         data set 'mnist': expected train-images-idx3-ubyte or train-images-idx3-ubyte.gz in %s/mnist or %s, found neither: fetch it with 'amb data fetch mnist --data-dir %s'"
            .formatted(folder, folder, folder),
        "mnist");
  }

  @Test
  void withoutADirectoryTheOptionIsNamed() throws Exception {
    Diagnosis diagnosis = Diagnosis.of(new SoundMachine(), "mnist");
    diagnosis.assertLine(
        "failed   data         data set 'mnist' is read from files: set --data-dir DIR; to download them: amb data fetch mnist --data-dir DIR");
    assertEquals(1, diagnosis.code());
  }

  @Test
  void filesThatAreNotThePublishedOnesAreWarnedOf() throws Exception {
    writeMnist();
    assertData(
        0,
        "warning  data         mnist, 4 files, read and checked, different from the published: train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte; remove the wrong files, and fetch them again: amb data fetch mnist --data-dir "
            + folder,
        "mnist");
  }

  @Test
  void malformedFilesFailWithTheRemedy() throws Exception {
    writeMnist();
    write("train-labels-idx1-ubyte", 8 + 3, 0x801, 3);
    assertData(
        1,
        "failed   data         %s/mnist/train-labels-idx1-ubyte: offset 4: expected 4 labels, one for each image of %s/mnist/train-images-idx3-ubyte, found 3; remove the wrong files, and fetch them again: amb data fetch mnist --data-dir %s"
            .formatted(folder, folder, folder),
        "mnist");
  }

  @Test
  void ownDataAreReadWithoutFetching() throws Exception {
    Path table = folder.resolve("own.csv");
    assertData(
        1,
        "failed   data         data set %s: expected a file or folder, found none".formatted(table),
        table.toString());
    Files.writeString(table, "label,a\n" + "0,1\n1,2\n".repeat(10));
    assertData(
        0, "ok       data         %s, 1 file, read and checked".formatted(table), table.toString());
    Files.writeString(table, "label,a\n0,1\n1,2,3\n");
    assertData(
        1,
        "failed   data         %s: line 3: expected 2 values as before, found 3".formatted(table),
        table.toString());
  }
}
