package io.github.amb.runtime.system;

import io.github.amb.runtime.Amb;
import io.github.amb.runtime.launch.Launcher;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Programs under test that start with half of the work: only the quick compiler, and an archive of
 * the classes that they load, made once per build as {@code scripts/build} makes it. An archive
 * holds classes of jars alone. Hence the module's own jar replaces its directory, and the tests'
 * directory is the last of the class path.
 *
 * <p>Also sets the two system properties in each JVM of the system tier, as tests start ranks from
 * within theirs. JUnit finds it by {@code META-INF/services}.
 */
public final class QuickStart implements BeforeAllCallback {
  private static final Set<String> TIERS = Set.of("system", "lab", "claims");
  private static final String PATH_PROPERTY = "java.class.path";
  private static final String COMPILER = "-XX:TieredStopAtLevel=1";
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path HOME = TARGET.resolve("system-home");
  private static final Path CLASSES = HOME.resolve("lib/amb.jsa");
  private static final Pattern JAR = Pattern.compile("amb-runtime-[0-9.]+(-SNAPSHOT)?\\.jar");
  private static final List<String> QUIET = List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off");
  private static final List<Path> CLASS_PATH = jarsFirst(System.getProperty(PATH_PROPERTY));

  private static boolean prepared;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
    if (!Collections.disjoint(context.getTags(), TIERS)) {
      prepare();
    }
  }

  private static synchronized void prepare() throws IOException, InterruptedException {
    if (!prepared) {
      keepConfiguration();
      keepClasses();
      System.setProperty("amb.home", HOME.toString());
      System.setProperty(PATH_PROPERTY, joined(CLASS_PATH.stream()));
      prepared = true;
    }
  }

  /** Java's options. */
  static List<String> options() {
    List<String> options = new ArrayList<>(List.of(COMPILER, "-Damb.rank.jvm=" + COMPILER));
    options.add("-Damb.home=" + HOME);
    if (Files.exists(CLASSES)) {
      options.add("-XX:SharedArchiveFile=" + CLASSES);
      options.addAll(QUIET);
    }
    return options;
  }

  /** The class path of the program, without tests. */
  static String classPath() {
    return joined(program());
  }

  private static Stream<Path> program() {
    return CLASS_PATH.stream().filter(entry -> !entry.equals(TARGET.resolve("test-classes")));
  }

  private static String joined(Stream<Path> entries) {
    return entries.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static List<Path> jarsFirst(String classPath) {
    Path classes = TARGET.resolve("classes");
    Path program = newestJar(classes);
    return Stream.of(classPath.split(File.pathSeparator))
        .map(Path::of)
        .map(entry -> entry.equals(classes) ? program : entry)
        .sorted(Comparator.comparing(Files::isDirectory))
        .toList();
  }

  /** The module's jar, or its directory if a file there is newer. */
  private static Path newestJar(Path classes) {
    File[] jars = TARGET.toFile().listFiles((target, name) -> JAR.matcher(name).matches());
    return Stream.of(jars)
        .max(Comparator.comparing(File::lastModified))
        .filter(jar -> jar.lastModified() >= newest(classes))
        .map(File::toPath)
        .orElse(classes);
  }

  /** Time of the last change below a directory. */
  private static long newest(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(file -> file.toFile().lastModified()).max().orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates MPJ Express' configuration, as killed ranks would leave a temporary one. */
  private static void keepConfiguration() throws IOException {
    Path conf = HOME.resolve("conf/mpjexpress.conf");
    if (!Files.exists(conf)) {
      Files.createDirectories(conf.getParent());
      try (InputStream in = Launcher.class.getResourceAsStream("mpjexpress.conf")) {
        Path part = Files.createTempFile(conf.getParent(), "part", "");
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, conf, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  /** Creates the archive of classes; one test JVM does it, and the others wait. */
  private static void keepClasses() throws IOException, InterruptedException {
    Files.createDirectories(CLASSES.getParent());
    try (FileChannel lock =
        FileChannel.open(
            HOME.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      File made = HOME.resolve("output").toFile();
      long built = program().mapToLong(entry -> entry.toFile().lastModified()).max().orElse(0);
      if (made.lastModified() < built) {
        Files.deleteIfExists(CLASSES);
        Files.deleteIfExists(made.toPath());
        Path work = Files.createTempDirectory(HOME, "work");
        makeArchive(work, Redirect.appendTo(made));
        delete(work);
      }
    }
  }

  private static void makeArchive(Path work, Redirect output)
      throws IOException, InterruptedException {
    String listed = "-XX:DumpLoadedClassList=" + work.resolve("classes.");
    train(output, work, 0, listed + "alone");
    train(output, work, 1, listed + "launcher", "-Damb.rank.jvm=" + COMPILER + " " + listed + "%p");
    Set<String> classes = new LinkedHashSet<>();
    try (DirectoryStream<Path> lists = Files.newDirectoryStream(work, "classes.*")) {
      for (Path list : lists) {
        classes.addAll(Files.readAllLines(list));
      }
    }
    Path all = Files.write(work.resolve("all"), classes);
    List<String> options = List.of("-Xshare:dump", "-XX:SharedClassListFile=" + all);
    java(output, options, List.of("-XX:SharedArchiveFile=" + CLASSES, "-Xlog:disable"));
  }

  private static void train(Redirect output, Path work, int workers, String... options)
      throws IOException, InterruptedException {
    String line = "train toy fmb rms 16 --last-step 1 --workers " + workers + " --runs-dir ";
    List<String> main = new ArrayList<>(List.of(COMPILER, Amb.class.getName()));
    main.addAll(List.of((line + work).split(" ")));
    java(output, List.of(options), main);
  }

  /** Runs Java with the program's class path to its end. */
  private static void java(Redirect output, List<String> options, List<String> further)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:+UseSerialGC", "-cp", classPath()));
    line.addAll(options);
    line.addAll(further);
    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output).start().waitFor();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
