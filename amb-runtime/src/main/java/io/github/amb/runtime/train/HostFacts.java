package io.github.amb.runtime.train;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Json;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.mpj.WorldLoader;
import io.github.amb.runtime.train.directory.RunProvenance;
import io.github.amb.runtime.train.part.InputChecksums;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * What the check of a host answers, in one line.
 *
 * @param address of the host's ranks; null if it was not found
 * @param facts that must be equal on every host of a run, by name: versions of this program, MPJ
 *     Express and Java, and the data
 * @param problems why there are no facts
 */
record HostFacts(String address, Map<String, String> facts, List<String> problems) {
  /**
   * The facts of this host.
   *
   * @throws io.github.amb.core.option.UsageException if data or MPJ Express are missing
   */
  static Map<String, String> here(Settings settings) {
    Map<String, String> facts = new TreeMap<>();
    Map<String, String> environment = RunProvenance.describe();
    facts.put("version", environment.get("amb") + " " + environment.get("git_commit"));
    facts.put("CRC-32 of the program", checksum(classPath()));
    facts.put("CRC-32 of MPJ Express", checksum(List.of(WorldLoader.findJar())));
    facts.put("Java", Integer.toString(Runtime.version().feature()));
    InputChecksums.of(settings).forEach((file, sum) -> facts.put("SHA-256 of " + file, sum));
    return facts;
  }

  /** The problems, or else the facts that differ from the master's, one line each. */
  List<String> differences(Map<String, String> master) {
    List<String> differences = new ArrayList<>(problems);
    if (problems.isEmpty()) {
      master.forEach(
          (name, value) -> {
            String found = facts.get(name);
            if (!Objects.equals(value, found)) {
              differences.add(
                  "%s: expected %s, as at the master, found %s".formatted(name, value, found));
            }
          });
    }
    return differences;
  }

  private static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .sorted(Comparator.comparing(path -> path.getFileName().toString()))
        .toList();
  }

  /**
   * CRC-32 of files, and of those in directories, including their names. It finds accidents, and is
   * ten times as fast as SHA-256 in a Java that has just started.
   */
  private static String checksum(List<Path> paths) {
    CRC32 sum = new CRC32();
    byte[] buffer = new byte[1 << 15];
    try {
      for (Path path : paths) {
        for (Path file : Folder.files(path)) {
          sum.update((path.relativize(file) + "\0").getBytes(StandardCharsets.UTF_8));
          try (InputStream in = new CheckedInputStream(Files.newInputStream(file), sum)) {
            while (in.read(buffer) >= 0) {
              // Reading adds to the sum.
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "%08x".formatted(sum.getValue());
  }

  /** This answer in one line, which {@link #parse} reads. */
  String toLine() {
    return Json.line(this);
  }

  static HostFacts parse(String line) throws IOException {
    return new ObjectMapper().readValue(line, HostFacts.class);
  }
}
