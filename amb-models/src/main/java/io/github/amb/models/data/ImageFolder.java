package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.file.SystemText;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.StoredExamples;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder with one folder of images (PNG, JPEG, BMP, GIF) per class, in the order of their names.
 * Or a folder with such folders {@code train} and {@code test}. Pixels are divided by 255. With a
 * size after its name, all images are scaled to it, and gray ones become color ones if the first
 * one is. Entries whose names begin with a dot are left out.
 */
public final class ImageFolder extends UserDataSet {
  private static final List<String> ENDINGS = List.of(".png", ".jpg", ".jpeg", ".bmp", ".gif");

  private static final Pattern SIZED = Pattern.compile("(.+):(\\d{1,5})x(\\d{1,5})");

  private final ImageSize size;
  private ImageShape shape;

  public ImageFolder(String name, Path path, ImageSize size) {
    super(name, path);
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
    boolean folder = name.contains("/") || Files.exists(Path.of(name));
    return folder ? Optional.of(new ImageFolder(name, Path.of(name), null)) : Optional.empty();
  }

  @Override
  String form() {
    return size == null ? "images" : "images-" + size;
  }

  /**
   * What is there.
   *
   * @param classes names of the folders
   * @param train class of each training image
   * @param test class of each test image; null if examples are held out
   * @param leftOut everything else, one line
   */
  private record Listing(
      List<String> classes, Map<Path, Integer> train, Map<Path, Integer> test, String leftOut) {}

  private Listing list(ReadingNotes notes) throws IOException {
    boolean divided = Files.isDirectory(path.resolve("train"));
    Path train = divided ? path.resolve("train") : path;
    List<String> classes = classes(train, notes);
    Map<Path, Integer> images = images(train, classes, notes);
    if (!divided) {
      return new Listing(classes, images, null, notes.toString());
    }
    for (Path entry : entries(path, notes)) {
      if (!List.of("train", "test").contains(name(entry))) {
        notes.count("left out beside train and test", entry);
      }
    }
    Path test = path.resolve("test");
    List<String> found = classes(test, notes);
    if (!found.equals(classes)) {
      throw new UsageException(
          "%s: expected folders %s as in %s, found %s", test, classes, train, found);
    }
    return new Listing(classes, images, images(test, classes, notes), notes.toString());
  }

  @Override
  DecodedSet read(ReadingNotes notes) throws IOException {
    shape = null;
    Listing there = list(notes);
    StoredExamples examples = examples(there.train, notes);
    int classes = there.classes.size();
    return there.test == null
        ? split(shape, classes, examples, there.classes, notes)
        : new DecodedSet(shape, classes, examples, examples(there.test, notes), there.classes, "");
  }

  @Override
  String source() {
    return path + " (names and contents)";
  }

  @Override
  String reading() throws IOException {
    return list(new ReadingNotes(path)).leftOut;
  }

  @Override
  String sha256() throws IOException {
    Listing there = list(new ReadingNotes(path));
    Map<Path, Integer> files = new TreeMap<>(there.train);
    files.putAll(there.test == null ? Map.of() : there.test);
    return Sha256.of(path, List.copyOf(files.keySet()));
  }

  /** The entries of a folder, in order. Hidden ones are left out. */
  private static List<Path> entries(Path folder, ReadingNotes notes) throws IOException {
    List<Path> visible = new ArrayList<>();
    for (Path entry : Folder.entries(folder)) {
      if (name(entry).startsWith(".")) {
        notes.count("left out as hidden", entry);
      } else {
        visible.add(entry);
      }
    }
    return visible;
  }

  private static String name(Path entry) {
    return entry.getFileName().toString();
  }

  private static List<String> classes(Path folder, ReadingNotes notes) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          "%s: expected a folder, or a file that ends in .csv, .csv.gz, .npz, .libsvm or .libsvm.gz, found %s",
          folder,
          Files.exists(folder)
              ? "another file; name one of LIBSVM so, or write its examples as CSV or NPZ"
              : "none");
    }
    List<String> classes = new ArrayList<>();
    for (Path entry : entries(folder, notes)) {
      if (Files.isDirectory(entry)) {
        classes.add(name(SystemText.expectDecoded(entry)));
      } else {
        notes.count("left out beside the folders of classes", entry);
      }
    }
    if (classes.size() < 2 || classes.size() > DataLimits.CLASSES) {
      throw new UsageException(
          "%s: expected a folder of images for each of 2 to %d classes, found %d: %s",
          folder, DataLimits.CLASSES, classes.size(), classes);
    }
    return classes;
  }

  private static Map<Path, Integer> images(Path folder, List<String> classes, ReadingNotes notes)
      throws IOException {
    Map<Path, Integer> images = new LinkedHashMap<>();
    for (int label = 0; label < classes.size(); label++) {
      Path of = folder.resolve(classes.get(label));
      int before = images.size();
      List<Path> others = new ArrayList<>();
      for (Path entry : entries(of, notes)) {
        if (isImage(entry)) {
          images.put(SystemText.expectDecoded(entry), label);
        } else {
          others.add(entry);
          notes.count("left out as no " + String.join(", ", ENDINGS), entry);
        }
      }
      if (images.size() == before) {
        throw new UsageException(
            "%s: expected images (%s), found %s",
            of,
            String.join(", ", ENDINGS),
            others.isEmpty() ? "none" : others.size() + " others, as " + others.get(0));
      }
    }
    return images;
  }

  static boolean isImage(Path file) {
    String name = name(file).toLowerCase(Locale.ROOT);
    return ENDINGS.stream().anyMatch(name::endsWith) && !Files.isDirectory(file);
  }

  private StoredExamples examples(Map<Path, Integer> images, ReadingNotes notes) {
    int[] labels = new int[images.size()];
    byte[] pixels = null;
    int example = 0;
    for (Map.Entry<Path, Integer> image : images.entrySet()) {
      ImageFile decoded = decode(image.getKey(), notes);
      if (pixels == null) {
        pixels = new byte[room(labels.length)];
      }
      decoded.copy(shape, pixels, example * shape.size());
      labels[example++] = image.getValue();
    }
    return new ByteExamples(0, Labels.of(labels), ByteBuffer.wrap(pixels));
  }

  /** Number of bytes of {@code images} images. */
  private int room(int images) {
    long bytes = (long) images * shape.size();
    if (bytes > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: expected images of at most %d bytes in all, found %d of %s",
          path, DataLimits.EXAMPLE_BYTES, images, shape);
    }
    BoundedFile.requireMemory(path.toString(), bytes);
    return (int) bytes;
  }

  /** Decodes an image, which must have the size of the first one. */
  private ImageFile decode(Path file, ReadingNotes notes) {
    ImageFile image = ImageFile.read(file, (h, w) -> expectSize(file, h, w), notes);
    int channels = image.channels();
    var found =
        size == null
            ? new ImageShape(channels, image.height(), image.width())
            : new ImageShape(channels, size.height(), size.width());
    if (shape == null) {
      shape = found;
    } else if (!shape.equals(found) && (size == null || channels > shape.channels())) {
      throw new UsageException(
          "%s: expected an image of %s (channels x height x width) as the first one, found %s; %s",
          file, shape, found, size == null ? resized() : "gray and color do not mix");
    }
    if (channels < shape.channels()) {
      notes.count("gray images among color ones", file);
    }
    if (image.height() != shape.height() || image.width() != shape.width()) {
      notes.count("images scaled to " + size, file);
    }
    return image;
  }

  /** Checks the size in the file's header before any pixel is decoded. */
  private void expectSize(Path file, int height, int width) {
    boolean other = shape != null && (shape.height() != height || shape.width() != width);
    if (other && size == null) {
      throw new UsageException(
          "%s: expected an image of %dx%d (height x width) as the first one, found %dx%d; %s",
          file, shape.height(), shape.width(), height, width, resized());
    }
  }

  private String resized() {
    return "to scale all images, write the size after the folder: %s:%sx%s"
        .formatted(path, shape.height(), shape.width());
  }
}
