package io.github.amb.runtime.system;

import io.github.amb.runtime.Amb;
import io.github.amb.runtime.launch.Launcher;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Programs under test that start with a third of the work: only the quick compiler, and classes as
 * Java keeps them in memory, made once per build as {@code scripts/build} makes them. Java keeps
 * those of jars alone, hence the module's own jar in place of its classes, once there is one.
 */
final class QuickStart {
  private static final String COMPILER = "-XX:TieredStopAtLevel=1";
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path HOME = TARGET.resolve("system-home");
  private static final Path CLASSES = HOME.resolve("lib/amb.jsa");
  private static final Pattern JAR = Pattern.compile("amb-runtime-[0-9.]+(-SNAPSHOT)?\\.jar");
  private static final List<String> QUIET = List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off");
  private static final String CLASS_PATH = withJar(System.getProperty("java.class.path"));

  static {
    try {
      keepConfiguration();
      keepClasses();
    } catch (IOException | InterruptedException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private QuickStart() {}

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

  static String classPath() {
    return CLASS_PATH;
  }

  private static String withJar(String classPath) {
    Path classes = TARGET.resolve("classes");
    File[] jars = TARGET.toFile().listFiles((target, name) -> JAR.matcher(name).matches());
    if (jars == null || jars.length != 1 || jars[0].lastModified() < newest(classes)) {
      return classPath;
    }
    return entries(classPath)
        .filter(entry -> !entry.equals(TARGET.resolve("test-classes")))
        .map(entry -> entry.equals(classes) ? jars[0].toPath() : entry)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Stream<Path> entries(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator)).map(Path::of);
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
      try (InputStream in = Launcher.class.getResourceAsStream("process/mpjexpress.conf")) {
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
      long built =
          entries(CLASS_PATH).mapToLong(entry -> entry.toFile().lastModified()).max().orElse(0);
      if (made.lastModified() < built) {
        Files.deleteIfExists(CLASSES);
        train();
      }
    }
  }

  private static void train() throws IOException, InterruptedException {
    Path runs = Files.createTempDirectory(HOME, "runs");
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:+UseSerialGC", COMPILER, "-Xlog:disable"));
    line.add("-XX:ArchiveClassesAtExit=" + CLASSES);
    line.addAll(List.of("-cp", CLASS_PATH, Amb.class.getName()));
    line.addAll(List.of("train toy fmb rms 16 --workers 0 --last-step 1".split(" ")));
    line.addAll(List.of("--runs-dir", runs.toString()));
    new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(HOME.resolve("output").toFile())
        .start()
        .waitFor();
    try (Stream<Path> all = Files.walk(runs)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
