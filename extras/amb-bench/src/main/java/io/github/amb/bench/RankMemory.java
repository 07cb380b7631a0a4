package io.github.amb.bench;

import io.github.amb.bench.harness.ResidentMemory;
import io.github.amb.runtime.Train;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Resident memory of a run's ranks, read from Linux' proc file system while they run. */
final class RankMemory {
  private static final Path PROC = Path.of("/proc");

  /** The last readings, by rank. */
  final SortedMap<Integer, ResidentMemory> ranks = new TreeMap<>();

  /** Reads the memory of every rank among the processes. */
  void read(Stream<ProcessHandle> processes) {
    processes.forEach(process -> read(process.pid()));
  }

  private void read(long pid) {
    Path directory = PROC.resolve(Long.toString(pid));
    try {
      int rank = rank(Files.readString(directory.resolve("cmdline"), StandardCharsets.UTF_8));
      ResidentMemory resident = ResidentMemory.of(pid);
      if (rank >= 0 && resident.last() > 0) {
        ranks.put(rank, resident);
      }
    } catch (IOException e) {
      // The process has ended; its last reading is kept.
    }
  }

  /** The rank that a command line starts, or −1 if it is not a rank's. */
  static int rank(String commandLine) {
    List<String> words = List.of(commandLine.split("\0"));
    int main = words.indexOf(Train.class.getName());
    boolean known = main >= 0 && main + 1 < words.size() && words.get(main + 1).matches("\\d{1,6}");
    return known ? Integer.parseInt(words.get(main + 1)) : -1;
  }
}
