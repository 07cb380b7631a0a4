package io.github.amb.models.data.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.models.data.SameData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecodedSetTest {
  private static final String KEY = "ab".repeat(32);
  private static final String OTHER = "cd".repeat(32);

  @TempDir Path folder;
  private Path cache;
  private int decoded;

  @BeforeEach
  void makeCache() throws IOException {
    cache = Files.createDirectory(folder.resolve("cache"));
  }

  /** Bytes for training, floats for tests, neither of a size that fills a buffer. */
  private static DecodedSet sample() {
    var shape = new ImageShape(3, 5, 7);
    byte[] pixels = new byte[1001 * shape.size()];
    byte[] labels = new byte[1001];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) (i * 31 / 7);
    }
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) i;
    }
    float[] features = new float[300 * shape.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) Math.sin(i) / 3;
    }
    features[4] = -0f;
    features[5] = Float.MIN_VALUE;
    var test = new FloatExamples(features, Arrays.copyOf(labels, 300));
    return new DecodedSet(shape, 256, new ByteExamples(pixels, labels), test);
  }

  private DataSet load(String key) throws IOException {
    return load(cache, key);
  }

  private DataSet load(Path directory, String key) throws IOException {
    return DecodedSet.once(
        "sample",
        new DecodedSetFile(directory, "form", key),
        () -> {
          decoded++;
          return sample();
        });
  }

  private Path onlyFile() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      List<Path> all = files.toList();
      assertEquals(1, all.size(), all.toString());
      return all.get(0);
    }
  }

  @Test
  void whatIsKeptIsWhatWasDecodedBitByBit() throws IOException {
    DataSet expected = sample().named("sample");
    DataSet first = load(KEY);
    DataSet second = load(KEY);
    SameData.expect(expected, first);
    SameData.expect(expected, second);
    assertEquals(1, decoded);
    for (DataSet data : List.of(first, second)) {
      assertTrue(((ByteExamples) data.train()).files[0].isDirect());
      assertTrue(((FloatExamples) data.test()).features.isDirect());
    }
  }

  @Test
  void everySourceAndFormHasAFileOfItsOwn() throws IOException {
    load(KEY);
    load(OTHER);
    assertEquals(2, decoded);
    DecodedSetFile form = new DecodedSetFile(cache, "another", KEY);
    assertThrows(IOException.class, () -> form.map("sample"));
  }

  @Test
  void aDamagedOrForeignFileIsMadeAgain() throws IOException {
    load(KEY);
    Path file = onlyFile();
    byte[] good = Files.readAllBytes(file);
    byte[] foreign = good.clone();
    foreign[0]++;
    byte[] ofOtherKey = good.clone();
    ofOtherKey[10]++;
    byte[] ofOtherShape = good.clone();
    ofOtherShape[40]++;
    List<byte[]> bad =
        List.of(
            new byte[0],
            Arrays.copyOf(good, 20),
            Arrays.copyOf(good, good.length - 1),
            Arrays.copyOf(good, good.length + 1),
            foreign,
            ofOtherKey,
            ofOtherShape);
    for (byte[] content : bad) {
      // Not in place, as other processes may have mapped the good one.
      Files.delete(file);
      Files.write(file, content);
      int before = decoded;
      SameData.expect(sample().named("sample"), load(KEY));
      assertEquals(before + 1, decoded);
      assertEquals(-1, Arrays.mismatch(good, Files.readAllBytes(onlyFile())));
    }
  }

  /** One changed bit of a header, of labels, of features of either kind, of the checksum. */
  @Test
  void everyChangedBitIsFound() throws IOException {
    load(KEY);
    Path file = onlyFile();
    byte[] good = Files.readAllBytes(file);
    for (int at : List.of(0, 45, good.length / 3, good.length / 2, good.length - 5)) {
      byte[] changed = good.clone();
      changed[at] ^= 1;
      Files.delete(file);
      Files.write(file, changed);
      DecodedSetFile kept = new DecodedSetFile(cache, "form", KEY);
      assertThrows(IOException.class, () -> kept.map("sample"), "byte " + at);
    }
  }

  @Test
  void aCacheThatCannotBeWrittenIsNoError() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    DataSet data = load(file, KEY);
    SameData.expect(sample().named("sample"), data);
    assertFalse(((ByteExamples) data.train()).files[0].isDirect());
  }

  @Test
  void whatCannotBeDecodedIsNotKept() throws IOException {
    DecodedSet.Source<IOException> broken =
        () -> {
          throw new IOException("broken");
        };
    var file = new DecodedSetFile(cache, "form", KEY);
    assertThrows(IOException.class, () -> DecodedSet.once("sample", file, broken));
    try (Stream<Path> files = Files.list(cache)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void severalMayDecodeAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      DecodedSet.Source<RuntimeException> source = DecodedSetTest::sample;
      var file = new DecodedSetFile(cache, "form", KEY);
      Callable<DataSet> one = () -> DecodedSet.once("sample", file, source);
      List<Future<DataSet>> all = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        all.add(threads.submit(one));
      }
      for (Future<DataSet> data : all) {
        SameData.expect(sample().named("sample"), data.get());
      }
    } finally {
      threads.shutdownNow();
    }
    onlyFile();
  }

  @Test
  void theFileThatIsThereIsLeftAlone() throws IOException {
    load(KEY);
    FileTime old = FileTime.fromMillis(0);
    Files.setLastModifiedTime(onlyFile(), old);
    load(KEY);
    assertEquals(old, Files.getLastModifiedTime(onlyFile()));
  }
}
