package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserDataSetTest {
  @TempDir Path folder;

  /** As it is kept in the cache, after a look whether that is what is decoded, bit by bit. */
  private static DataSet load(Path path) throws IOException {
    DataSet kept = DataSets.load(path.toString(), null, 1);
    var definition = (UserDataSet) DataSets.definition(path.toString());
    SameData.expect(definition.read().named(path.toString()), kept);
    return kept;
  }

  private static String problem(Path path) {
    String name = path.toString();
    return assertThrows(UsageException.class, () -> DataSets.load(name, null, 1)).getMessage();
  }

  private static float[] features(Examples examples, DataSet data, int example) {
    float[] features = new float[data.shape().size()];
    examples.copyFeatures(example, features);
    return features;
  }

  private Path csv(String text) throws IOException {
    return Files.writeString(folder.resolve("data.csv"), text);
  }

  @Test
  void aFileThatChangesIsReadAgain() throws IOException {
    assertEquals(2, load(csv("0,1,2\n1,3,4\n")).classes());
    assertEquals(3, load(csv("0,1,2\n2,3,4\n")).classes());
    Path other = Files.copy(folder.resolve("data.csv"), folder.resolve("data.npz"));
    assertTrue(problem(other).contains("cannot be read"));
  }

  // Folders of images

  private void image(String name, int type, int width, int height, int rgb) throws IOException {
    BufferedImage image = new BufferedImage(width, height, type);
    for (int i = 0; i < width * height; i++) {
      if (type == BufferedImage.TYPE_BYTE_GRAY) {
        image.getRaster().setSample(i % width, i / width, 0, rgb + i);
      } else {
        image.setRGB(i % width, i / width, rgb);
      }
    }
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    ImageIO.write(image, "png", file.toFile());
  }

  @Test
  void aFolderOfColorImagesPerClassIsRead() throws IOException {
    for (int i = 0; i < 10; i++) {
      image("pets/cat/" + i + ".png", BufferedImage.TYPE_INT_RGB, 3, 2, 0x336699);
      image("pets/dog/" + i + ".png", BufferedImage.TYPE_INT_RGB, 3, 2, 0xff0000);
    }
    DataSet data = load(folder.resolve("pets"));
    assertEquals(new ImageShape(3, 2, 3), data.shape());
    assertEquals(2, data.classes());
    assertEquals(18, data.train().count());
    assertEquals(0, data.train().label(0));
    assertEquals(1, data.test().label(1));
    float[] cat = features(data.train(), data, 0);
    assertArrayEquals(new float[] {0.2f, 0.4f, 0.6f}, new float[] {cat[0], cat[6], cat[12]}, 1e-7f);
  }

  @Test
  void greyImagesKeepTheirValues() throws IOException {
    for (String part : new String[] {"train", "test"}) {
      image("grey/" + part + "/a/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 100);
      image("grey/" + part + "/b/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 10);
    }
    DataSet data = load(folder.resolve("grey"));
    assertEquals(2, data.test().count());
    float[] first = features(data.test(), data, 0);
    float[] expected = {100 / 255f, 101 / 255f, 102 / 255f, 103 / 255f};
    assertArrayEquals(expected, first, 1e-7f);
  }

  @Test
  void badFoldersAreRejected() throws IOException {
    image("one/a/1.png", BufferedImage.TYPE_INT_RGB, 2, 2, 0);
    assertTrue(problem(folder.resolve("one")).contains("found 1: [a]"));
    Files.createDirectories(folder.resolve("one/b"));
    assertTrue(problem(folder.resolve("one")).contains("expected images"));
    image("one/b/1.png", BufferedImage.TYPE_INT_RGB, 3, 2, 0);
    String size = problem(folder.resolve("one"));
    assertTrue(size.contains("expected an image of 2x2 (height x width)"), size);
    String remedy = "found 2x3; to scale all images, write the size after the folder: %s:2x2";
    assertTrue(size.endsWith(remedy.formatted(folder.resolve("one"))), size);
    Path damaged = folder.resolve("one/b/1.png");
    Files.write(damaged, Arrays.copyOf(Files.readAllBytes(damaged), 40));
    assertTrue(problem(folder.resolve("one")).startsWith(damaged + ": expected an image"));
    Files.writeString(folder.resolve("one/b/1.png"), "no image");
    assertTrue(problem(folder.resolve("one")).contains("found something else"));
  }

  /** As of ARFF: one refusal, which says what to do. */
  @Test
  void aFileOfAnotherFormIsRejectedWithARemedy() throws IOException {
    Path file = Files.writeString(folder.resolve("tiny.arff"), "@relation tiny\n@data\n1,2\n");
    String problem = problem(file);
    assertTrue(problem.startsWith(file + ": expected a folder, or a file"), problem);
    assertTrue(problem.contains("CSV or NPZ"), problem);
    assertEquals(1, problem.lines().count());
  }

  @Test
  void imagesOfAnySizeAreScaledToOneOnRequest() throws IOException {
    image("any/a/1.png", BufferedImage.TYPE_INT_RGB, 4, 4, 0x336699);
    image("any/a/2.png", BufferedImage.TYPE_INT_RGB, 3, 7, 0x336699);
    image("any/b/1.png", BufferedImage.TYPE_INT_RGB, 1, 1, 0x336699);
    image("any/b/2.png", BufferedImage.TYPE_BYTE_GRAY, 1, 1, 51);
    Path any = folder.resolve("any");
    DataSet data = load(folder.resolve("any:2x3"));
    assertEquals(any + ":2x3", data.name());
    assertEquals(new ImageShape(3, 2, 3), data.shape());
    for (int example = 0; example < 2; example++) {
      float[] pixels = features(data.train(), data, example);
      float[] colors = {pixels[0], pixels[5], pixels[6], pixels[11], pixels[12], pixels[17]};
      assertArrayEquals(new float[] {0.2f, 0.2f, 0.4f, 0.4f, 0.6f, 0.6f}, colors, 1e-7f);
    }
    assertTrue(data.note().contains("images scaled to 2x3: 4"), data.note());
    float[] gray = features(data.train(), data, 2);
    float[] equal = {gray[0], gray[6], gray[17]};
    assertArrayEquals(new float[] {0.2f, 0.2f, 0.2f}, equal, 1e-7f);
    assertTrue(problem(folder.resolve("any:0x3")).contains("found 0x3"));
  }

  @Test
  void aColorImageAmongGrayOnesIsRejected() throws IOException {
    image("mixed/a/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 0);
    image("mixed/b/1.png", BufferedImage.TYPE_INT_RGB, 2, 2, 0);
    String problem = problem(folder.resolve("mixed:2x2"));
    assertTrue(problem.endsWith("found 3x2x2; gray and color do not mix"), problem);
  }

  @Test
  void hiddenEntriesAndOtherFilesAreLeftOutAndCounted() throws IOException {
    for (String name : List.of("a/1.png", "a/2.PNG", "b/1.png", ".hidden/1.png", "a/.2.png")) {
      image("tidy/" + name, BufferedImage.TYPE_BYTE_GRAY, 2, 2, 0);
    }
    Path tidy = folder.resolve("tidy");
    Files.createDirectories(tidy.resolve("a/3.png"));
    Files.writeString(tidy.resolve("b/x.webp"), "");
    Files.writeString(tidy.resolve("b/ending"), "");
    DataSet data = load(tidy);
    assertEquals(List.of("a", "b"), data.classNames());
    assertEquals(3, data.train().count() + data.test().count());
    String note = data.remarks(1).get(0);
    assertTrue(note.contains("hidden: 2, as .hidden"), note);
    assertTrue(note.contains(".gif: 3, as a/3.png"), note);
    Files.writeString(tidy.resolve("notes.txt"), "");
    String more = load(tidy).note();
    assertTrue(more.contains("beside the folders of classes: 1"), more);
  }

  @Test
  void foldersBesideTrainAndTestAreNoted() throws IOException {
    for (String part : List.of("train", "test", "val")) {
      image("three/" + part + "/a/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 1);
      image("three/" + part + "/b/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 2);
    }
    String note = load(folder.resolve("three")).note();
    assertTrue(note.endsWith("beside train and test: 1, as val"), note);
    image("three/test/c/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 2);
    String problem = problem(folder.resolve("three"));
    assertTrue(problem.contains("expected folders [a, b]"), problem);
  }

  @Test
  void aFolderOfOtherFilesAloneNamesOne() throws IOException {
    image("none/a/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 1);
    Path webp = Files.createDirectories(folder.resolve("none/b")).resolve("x.webp");
    Files.writeString(webp, "");
    String problem = problem(folder.resolve("none"));
    assertTrue(problem.endsWith("found 1 others, as " + webp), problem);
  }

  @Test
  void smallerImagesAreMeansOfAllPixels() {
    byte[] row = {0, 80, (byte) 160, (byte) 240};
    byte[] half = new ImageSize(1, 2).scale(row, new ImageSize(1, 4));
    // The first place is 1. Its weights of pixels at 0.5, 1.5 and 2.5 are 3/4, 3/4 and 1/4.
    double first = (3 * 0 + 3 * 80 + 160) / 7.0;
    assertArrayEquals(new byte[] {(byte) Math.round(first), (byte) Math.round(240 - first)}, half);
    byte[] twice = new ImageSize(1, 2).scale(new byte[] {40}, new ImageSize(1, 1));
    assertArrayEquals(new byte[] {40, 40}, twice);
  }

  /** Its data are cut: that the size is what is rejected shows that they are not decoded. */
  @Test
  void anImageOfManyPixelsIsRejectedUndecoded() throws IOException {
    image("bomb/a/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 0);
    image("bomb/b/1.png", BufferedImage.TYPE_BYTE_GRAY, 2, 2, 0);
    Path file = folder.resolve("bomb/a/1.png");
    ByteBuffer png = ByteBuffer.wrap(Files.readAllBytes(file));
    int size = 16;
    png.putInt(size, 20_000).putInt(size + 4, 10_000);
    CRC32 crc = new CRC32();
    crc.update(png.array(), 12, 17);
    png.putInt(29, (int) crc.getValue());
    Files.write(file, png.array());
    assertEquals(
        file + ": expected an image of at most 67108864 pixels, found 10000x20000",
        problem(folder.resolve("bomb")));
  }

  @Test
  void checksumsOfAFolderChangeWithItsContent() throws IOException {
    image("sum/a/1.png", BufferedImage.TYPE_INT_RGB, 2, 2, 0);
    image("sum/b/1.png", BufferedImage.TYPE_INT_RGB, 2, 2, 1);
    String name = folder.resolve("sum").toString();
    var before = DataSets.definition(name).checksums(null);
    image("sum/b/1.png", BufferedImage.TYPE_INT_RGB, 2, 2, 2);
    assertNotEquals(before, DataSets.definition(name).checksums(null));
  }

  // Scaling

  @Test
  void scalingInterpolatesBetweenCentersOfPixels() {
    var shape = new ImageShape(1, 1, 2);
    var two = new FloatExamples(new float[] {0, 4}, new byte[] {0});
    DataSet data = new DataSet("two", shape, 2, two, two);
    DataSet scaled = ScaledExamples.scale(data, new ImageShape(1, 2, 4));
    float[] row = {0, 1, 3, 4, 0, 1, 3, 4};
    assertArrayEquals(row, features(scaled.train(), scaled, 0), 1e-6f);
  }
}
