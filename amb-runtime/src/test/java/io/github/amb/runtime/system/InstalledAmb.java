package io.github.amb.runtime.system;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** An unpacked archive of the tested program: {@code bin/amb} and {@code lib}. */
final class InstalledAmb {
  private static final Path SCRIPTS = Path.of("../scripts").toAbsolutePath().normalize();

  private final Path home;

  private InstalledAmb(Path home) {
    this.home = home;
  }

  /** Installs the program in a new directory. */
  static InstalledAmb in(Path home) throws IOException {
    Path lib = Files.createDirectories(home.resolve("lib"));
    Path bin = Files.createDirectories(home.resolve("bin"));
    Files.copy(SCRIPTS.resolve("amb"), bin.resolve("amb"));
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.CLASS_PATH, classPath());
    try (OutputStream out = Files.newOutputStream(lib.resolve("amb-all.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
    return new InstalledAmb(home);
  }

  private static String classPath() {
    return List.of(System.getProperty("java.class.path").split(":")).stream()
        .map(entry -> Path.of(entry).toUri().toString())
        .collect(Collectors.joining(" "));
  }

  /**
   * Runs a command line of bash in {@code directory} to its end, in which {@code $amb} is the
   * program.
   *
   * @param environment variables to set; none if null
   */
  AmbProcess run(Path directory, Map<String, String> environment, String line) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "-u", "LC_ALL"));
    command.add("AMB_OPTIONS=-XX:TieredStopAtLevel=1 -Damb.rank.jvm=-XX:TieredStopAtLevel=1");
    environment.forEach((name, value) -> command.add(name + "=" + value));
    command.addAll(List.of("JAVA_HOME=" + System.getProperty("java.home"), "bash", "-c"));
    command.add("amb='bash " + home.resolve("bin/amb") + "'; " + line);
    try (AmbProcess amb = AmbProcess.start(directory, command)) {
      amb.awaitEnd(AmbProcess.LIMIT);
      return amb;
    }
  }
}
