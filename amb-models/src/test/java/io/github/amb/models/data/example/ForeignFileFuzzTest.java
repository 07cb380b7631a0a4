package io.github.amb.models.data.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.IdxFiles;
import io.github.amb.models.data.ImageFolder;
import io.github.amb.models.data.source.TarGz;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Damaged images, archives, compressed files and files of the cache. */
class ForeignFileFuzzTest {
  private static final String KEY = "ab".repeat(32);

  private static Path folder;

  @BeforeContainer
  static void createFolder() throws IOException {
    folder = Files.createTempDirectory("fuzz");
    for (String name : new String[] {"images/a", "images/b", "cache", "kept"}) {
      Files.createDirectories(folder.resolve(name));
    }
    Files.write(folder.resolve("images/b/1.png"), image("png"));
    new DecodedSetFile(folder.resolve("kept"), "form", KEY).write(set());
  }

  @AfterContainer
  static void deleteFolder() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static byte[] image(String format) throws IOException {
    var bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(4, 3, BufferedImage.TYPE_INT_RGB), format, bytes);
    return bytes.toByteArray();
  }

  private static DecodedSet set() {
    var shape = new ImageShape(1, 2, 2);
    var examples = new ByteExamples(new byte[12], new byte[] {0, 1, 0});
    return new DecodedSet(shape, 2, examples, examples);
  }

  private static byte[] damaged(byte[] content, int... bits) {
    byte[] bad = content.clone();
    for (int bit : bits) {
      int position = Math.floorMod(bit, bad.length * 8);
      bad[position / 8] ^= (byte) (1 << position % 8);
    }
    return bad;
  }

  @Property(tries = 300)
  void aDamagedImageIsReadOrRejected(
      @ForAll @IntRange(max = 3) int format,
      @ForAll @Size(min = 1, max = 4) int @IntRange(max = 100_000) [] bits)
      throws IOException {
    byte[] good = image(new String[] {"png", "jpg", "bmp", "gif"}[format]);
    Path file = folder.resolve("images/a/1.png");
    Files.write(file, damaged(good, bits));
    try {
      DecodedSet data = new ImageFolder("images", folder.resolve("images"), null).read();
      assertEquals(2, data.train().count() + data.test().count());
    } catch (UsageException e) {
      assertTrue(e.getMessage().startsWith(folder.toString()), e.getMessage());
    }
  }

  @Property(tries = 300)
  void aDamagedFileOfTheCacheIsNeverMapped(@ForAll @IntRange(max = 100_000) int bit)
      throws IOException {
    Path kept = folder.resolve("kept").resolve("form-" + KEY + ".v6");
    byte[] good = Files.readAllBytes(kept);
    Path other = Files.createDirectories(folder.resolve("cache/other"));
    Files.write(other.resolve(kept.getFileName()), damaged(good, bit));
    DecodedSetFile file = new DecodedSetFile(other, "form", KEY);
    assertThrows(IOException.class, () -> file.map("sample"));
  }

  @Property(tries = 300)
  void aDamagedArchiveIsExtractedOrRejected(
      @ForAll @Size(max = 3) int @IntRange(max = 100_000) [] bits) throws IOException {
    byte[] entry = new byte[1024 + 1024];
    put(entry, 0, "set/a.bin");
    put(entry, 124, "00000000700");
    Path archive = folder.resolve("x.tar.gz");
    Files.write(archive, IdxFiles.gzip(damaged(entry, bits)));
    Path target = folder.resolve("a.bin");
    try {
      TarGz.extract(archive, Map.of("a.bin", target));
      assertTrue(Files.size(target) <= entry.length);
    } catch (IOException e) {
      assertFalse(Files.exists(folder.resolve("a.bin.part")));
    }
  }

  private static void put(byte[] entry, int start, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, entry, start, bytes.length);
  }
}
