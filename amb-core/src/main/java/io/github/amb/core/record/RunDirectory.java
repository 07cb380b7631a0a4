package io.github.amb.core.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of one run.
 *
 * @param path the directory
 */
public record RunDirectory(Path path) {
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** {@code run.json}. */
  public Path info() {
    return path.resolve("run.json");
  }

  /** {@code master.jsonl}: steps, collections and evaluations. */
  public Path masterLog() {
    return path.resolve("master.jsonl");
  }

  /** {@code worker-<rank>.jsonl}. */
  public Path workerLog(int rank) {
    return path.resolve("worker-" + rank + ".jsonl");
  }

  /** {@code rank-<rank>.log}: what the rank printed. */
  public Path console(int rank) {
    return path.resolve("rank-" + rank + ".log");
  }

  /** {@code plots/}. */
  public Path plots() {
    return path.resolve("plots");
  }

  /** {@code checkpoints/}. */
  public Path checkpoints() {
    return path.resolve("checkpoints");
  }

  /** Replaces {@code run.json} in one step, so that a reader sees the old one or the new one. */
  public void write(RunInfo run) throws IOException {
    Path temporary = path.resolve("run.json.tmp");
    Files.write(temporary, JSON.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(run));
    Files.move(temporary, info(), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Reads {@code run.json}.
   *
   * @throws IOException if it is missing, is not JSON, or is of a newer format than {@link
   *     RunInfo#FORMAT}
   */
  public RunInfo read() throws IOException {
    RunInfo run = JSON.readValue(info().toFile(), RunInfo.class);
    if (run.format() > RunInfo.FORMAT) {
      throw new IOException(
          "%s: expected format %d or older, found %d; use the program that wrote it"
              .formatted(info(), RunInfo.FORMAT, run.format()));
    }
    return run;
  }

  /** All records of the master, in the order written. */
  public List<LogRecord> masterRecords() throws IOException {
    return readLog(masterLog());
  }

  /** All records of one worker, in the order written; empty if the worker has no log. */
  public List<LogRecord> workerRecords(int rank) throws IOException {
    return Files.exists(workerLog(rank)) ? readLog(workerLog(rank)) : List.of();
  }

  /** Ranks of the workers that have a log, ascending. */
  public List<Integer> workers() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("worker-\\d+\\.jsonl"))
          .map(name -> Integer.valueOf(name.replaceAll("\\D", "")))
          .sorted()
          .toList();
    }
  }

  /**
   * Reads a log. A last line without its end, as a crash leaves it, is left out.
   *
   * @throws IOException if any other line cannot be read; the message names file and line
   */
  private static List<LogRecord> readLog(Path file) throws IOException {
    String text = Files.readString(file);
    int complete = text.lastIndexOf('\n') + 1;
    List<LogRecord> records = new ArrayList<>();
    int line = 0;
    for (String json : text.substring(0, complete).lines().toList()) {
      line++;
      records.add(readLine(json, file, line));
    }
    return records;
  }

  private static LogRecord readLine(String json, Path file, int line) throws IOException {
    try {
      LogRecord record = JSON.readValue(json, LogRecord.class);
      if (record == null) {
        throw new IOException(noRecord(json, file, line));
      }
      return record;
    } catch (JsonProcessingException e) {
      throw new IOException(noRecord(json, file, line) + " (" + e.getOriginalMessage() + ")", e);
    }
  }

  private static String noRecord(String json, Path file, int line) {
    return "%s line %d: expected a log record, found %s".formatted(file, line, abbreviate(json));
  }

  private static String abbreviate(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }
}
