package io.github.amb.models.data.user;

import io.github.amb.core.command.Program;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.input.BoundedFile;
import io.github.amb.core.input.DataLimits;
import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.ImageShape;
import io.github.amb.models.data.cache.DecodedSet;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.StoredExamples;
import io.github.amb.models.data.source.Sha256;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

/**
 * A folder with one folder of images (PNG, JPEG, BMP, GIF) per class, in the order of their names.
 * Or a folder with such folders {@code train} and {@code test}. Pixels are divided by 255. With a
 * size after its name, all images are scaled to it, and gray ones become color ones if the first
 * one is.
 */
public final class ImageFolder extends UserDataSet {
  private static final List<String> ENDINGS = List.of(".png", ".jpg", ".jpeg", ".bmp", ".gif");

  private static final Pattern SIZED = Pattern.compile("(.+):(\\d{1,5})x(\\d{1,5})");

  private final String name;
  private final ImageSize size;
  private ImageShape shape;

  public ImageFolder(String name, Path path, ImageSize size) {
    super(path);
    this.name = name;
    this.size = size;
  }

  /**
   * The folder of a name, {@code FOLDER} or {@code FOLDER:HEIGHTxWIDTH}; empty if it is not the
   * name of one.
   */
  public static Optional<DataSetDefinition> at(String name) {
    Matcher sized = SIZED.matcher(name);
    if (sized.matches() && !Files.exists(Path.of(name))) {
      int height = Integer.parseInt(sized.group(2));
      int width = Integer.parseInt(sized.group(3));
      return Optional.of(
          new ImageFolder(name, Path.of(sized.group(1)), new ImageSize(height, width)));
    }
    boolean folder = name.contains("/") || Files.isDirectory(Path.of(name));
    return folder ? Optional.of(new ImageFolder(name, Path.of(name), null)) : Optional.empty();
  }

  @Override
  public Description description() {
    return Description.of(name, "your data at " + path());
  }

  @Override
  String form() {
    return size == null ? "images" : "images-" + size;
  }

  @Override
  public DecodedSet read() throws IOException {
    Path train = train();
    List<String> classes = classes(train);
    StoredExamples examples = examples(images(train, classes));
    if (!isDivided()) {
      return split(shape, classes.size(), examples);
    }
    return new DecodedSet(shape, classes.size(), examples, examples(images(test(), classes)));
  }

  @Override
  String source() {
    return path() + " (names and contents)";
  }

  @Override
  String sha256() throws IOException {
    Path train = train();
    List<String> classes = classes(train);
    List<Path> files = new ArrayList<>(images(train, classes).keySet());
    if (isDivided()) {
      expectClasses(classes);
      files.addAll(images(test(), classes).keySet());
    }
    return Sha256.of(path(), files.stream().sorted().toList());
  }

  private void expectClasses(List<String> classes) throws IOException {
    List<String> found = classes(test());
    if (!found.equals(classes)) {
      throw new UsageException(
          "%s: expected folders %s as in %s, found %s".formatted(test(), classes, train(), found));
    }
  }

  private boolean isDivided() {
    return Files.isDirectory(path().resolve("train"));
  }

  private Path train() {
    return isDivided() ? path().resolve("train") : path();
  }

  private Path test() {
    return path().resolve("test");
  }

  private static List<String> classes(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          "%s: expected a folder, or a file that ends in .csv, .csv.gz or .npz, found %s"
              .formatted(folder, Files.exists(folder) ? "another file" : "none"));
    }
    try (Stream<Path> entries = Files.list(folder)) {
      List<String> classes =
          entries
              .filter(Files::isDirectory)
              .map(Program::expectDecoded)
              .map(e -> e.getFileName().toString())
              .sorted()
              .toList();
      if (classes.size() < 2 || classes.size() > DataLimits.CLASSES) {
        throw new UsageException(
            "%s: expected a folder of images for each of 2 to %d classes, found %d: %s"
                .formatted(folder, DataLimits.CLASSES, classes.size(), classes));
      }
      return classes;
    }
  }

  private static Map<Path, Integer> images(Path folder, List<String> classes) throws IOException {
    Map<Path, Integer> images = new LinkedHashMap<>();
    for (int label = 0; label < classes.size(); label++) {
      Path of = folder.resolve(classes.get(label));
      List<Path> files = new ArrayList<>();
      try (Stream<Path> entries = Files.list(of)) {
        entries
            .filter(ImageFolder::isImage)
            .map(Program::expectDecoded)
            .sorted()
            .forEach(files::add);
      }
      if (files.isEmpty()) {
        throw new UsageException(
            "%s: expected images (%s), found none".formatted(of, String.join(", ", ENDINGS)));
      }
      for (Path file : files) {
        images.put(file, label);
      }
    }
    return images;
  }

  private static boolean isImage(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return ENDINGS.stream().anyMatch(name::endsWith);
  }

  private StoredExamples examples(Map<Path, Integer> images) {
    byte[] labels = new byte[images.size()];
    byte[] pixels = null;
    int example = 0;
    for (Map.Entry<Path, Integer> image : images.entrySet()) {
      BufferedImage decoded = decode(image.getKey());
      if (pixels == null) {
        pixels = new byte[room(labels.length)];
      }
      copy(decoded, pixels, example * shape.size());
      labels[example++] = image.getValue().byteValue();
    }
    return new ByteExamples(pixels, labels);
  }

  /** Number of bytes of {@code images} images. */
  private int room(int images) {
    long bytes = (long) images * shape.size();
    if (bytes > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: expected images of at most %d bytes in all, found %d of %s"
              .formatted(path(), DataLimits.EXAMPLE_BYTES, images, shape));
    }
    BoundedFile.requireMemory(path().toString(), bytes);
    return (int) bytes;
  }

  /** Decodes an image, which must have the size of the first one. */
  private BufferedImage decode(Path file) {
    BufferedImage image = open(file);
    int channels = image.getColorModel().getNumColorComponents() == 1 ? 1 : 3;
    var found =
        size == null
            ? new ImageShape(channels, image.getHeight(), image.getWidth())
            : new ImageShape(channels, size.height(), size.width());
    if (shape == null) {
      shape = found;
    } else if (!shape.equals(found) && (size == null || channels > shape.channels())) {
      throw new UsageException(
          "%s: expected an image of %s (channels x height x width) as the first one, found %s; %s"
              .formatted(
                  file, shape, found, size == null ? resized() : "gray and color do not mix"));
    }
    return image;
  }

  private BufferedImage open(Path file) {
    try (ImageInputStream in =
        ImageIO.createImageInputStream(BoundedFile.expectFile(file).toFile())) {
      Iterator<ImageReader> readers =
          in == null ? Collections.emptyIterator() : ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new UsageException("%s: expected an image, found something else".formatted(file));
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        expectSize(file, reader.getHeight(0), reader.getWidth(0));
        return reader.read(0);
      } finally {
        reader.dispose();
      }
    } catch (UsageException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // The readers of some formats do not check their indices.
      throw new UsageException("%s: expected an image, found a damaged one: %s".formatted(file, e));
    }
  }

  /** Checks the size in the file's header before any pixel is decoded. */
  private void expectSize(Path file, int height, int width) {
    if ((long) height * width > DataLimits.IMAGE_PIXELS) {
      throw new UsageException(
          "%s: expected an image of at most %d pixels, found %dx%d"
              .formatted(file, DataLimits.IMAGE_PIXELS, height, width));
    }
    boolean other = shape != null && (shape.height() != height || shape.width() != width);
    if (other && size == null) {
      throw new UsageException(
          "%s: expected an image of %dx%d (height x width) as the first one, found %dx%d; %s"
              .formatted(file, shape.height(), shape.width(), height, width, resized()));
    }
  }

  private String resized() {
    return "to scale all images, write the size after the folder: %s:%sx%s"
        .formatted(path(), shape.height(), shape.width());
  }

  private void copy(BufferedImage image, byte[] pixels, int start) {
    int plane = shape.height() * shape.width();
    ImageSize found = new ImageSize(image.getHeight(), image.getWidth());
    for (int channel = 0; channel < shape.channels(); channel++) {
      byte[] original = plane(image, channel);
      byte[] scaled = size == null ? original : size.scale(original, found);
      System.arraycopy(scaled, 0, pixels, start + channel * plane, plane);
    }
  }

  private static byte[] plane(BufferedImage image, int channel) {
    boolean gray = image.getColorModel().getNumColorComponents() == 1;
    byte[] plane = new byte[image.getHeight() * image.getWidth()];
    int at = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        // Not through getRGB if gray, as it would convert linear gray to sRGB.
        plane[at++] = (byte) (gray ? grey(image, x, y) : image.getRGB(x, y) >> (16 - 8 * channel));
      }
    }
    return plane;
  }

  private static int grey(BufferedImage image, int x, int y) {
    int depth = image.getColorModel().getComponentSize(0);
    int sample = image.getRaster().getSample(x, y, 0);
    return depth == 8 ? sample : (int) (sample * 255L / ((1L << depth) - 1));
  }
}
