package io.github.amb.runtime.fault;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * One occurrence of a fault, in {@code faults.jsonl}: what was done to a run, whatever the run has
 * noticed.
 *
 * @param id the fault's and the occurrence's number, such as {@code kill-1#2}
 * @param incident what it has in common with others of this name; empty if nothing
 * @param kind as {@code --inject} has it
 * @param rank the affected rank
 * @param step the step of the affected result; at the master, the last step that was done
 * @param time seconds since the rank's first step
 */
public record Injected(String id, String incident, String kind, int rank, long step, double time) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Adds the occurrence to a journal, in one write, as other ranks add theirs. */
  public void append(Path journal) {
    try {
      byte[] line = (JSON.writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
      Files.write(journal, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The occurrences of a journal, in its order; none if there is no such file. */
  public static List<Injected> all(Path journal) throws IOException {
    try (MappingIterator<Injected> all =
        JSON.readerFor(Injected.class).readValues(Files.newBufferedReader(journal))) {
      return all.readAll();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
