package io.github.amb.core.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of one run.
 *
 * @param path the directory
 */
public record RunDirectory(Path path) {
  /** Number of bytes at the end of a log that are likely to include the last step. */
  private static final int TAIL = 1 << 16;

  /** Bytes at the end of a log in which a last test is looked for. */
  private static final int LONG_TAIL = 1 << 20;

  static final ObjectMapper JSON =
      mapper().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

  /** Rejects text in place of a number, and a fraction in place of an integer. */
  private static final ObjectReader DESCRIPTION =
      mapper()
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build()
          .readerFor(RunInfo.class);

  /** For UTF-8 alone: first bytes that look like a mark of another encoding are wrong JSON. */
  private static JsonMapper.Builder mapper() {
    JsonFactory utf8 = JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();
    return JsonMapper.builder(utf8)
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /** The folder that runs are in unless the user says otherwise. */
  public static final Path USUAL_FOLDER = Path.of("runs");

  /**
   * The run that a user names: by its path, or by its name in the usual folder. It need not exist.
   *
   * @param name as typed
   */
  public static RunDirectory named(String name) {
    return named(name, USUAL_FOLDER);
  }

  /**
   * The run that a user names: by its path, or by its name in a folder.
   *
   * @param name as typed
   * @param folder of runs
   */
  public static RunDirectory named(String name, Path folder) {
    Path path = Path.of(name);
    boolean within = !Files.exists(path) && Files.isDirectory(folder.resolve(name));
    return new RunDirectory(within ? folder.resolve(name) : path);
  }

  /** {@code run.json}. */
  public Path info() {
    return path.resolve("run.json");
  }

  /** {@code master.jsonl}: steps, collections and evaluations. */
  public Path masterLog() {
    return path.resolve("master.jsonl");
  }

  /** {@code evaluator.jsonl}: evaluations by {@code amb evaluate}. */
  public Path evaluatorLog() {
    return path.resolve("evaluator.jsonl");
  }

  /** {@code worker-<rank>.jsonl}. */
  public Path workerLog(int rank) {
    return path.resolve("worker-" + rank + ".jsonl");
  }

  /** {@code rank-<rank>.log}: what the rank printed. */
  public Path console(int rank) {
    return path.resolve("rank-" + rank + ".log");
  }

  /** {@code faults.jsonl}: what {@code --inject} did to the run. */
  public Path faults() {
    return path.resolve("faults.jsonl");
  }

  /** {@code plots/}. */
  public Path plots() {
    return path.resolve("plots");
  }

  /** {@code checkpoints/}. */
  public Path checkpoints() {
    return path.resolve("checkpoints");
  }

  /**
   * {@code superseded/}: data removed from the run when it was resumed, in numbered directories.
   */
  public Path superseded() {
    return path.resolve("superseded");
  }

  /**
   * Replaces {@code run.json} atomically: a reader sees the old file or the new one. It is on the
   * disk when the call returns.
   */
  public void write(RunInfo run) throws IOException {
    Path temporary = path.resolve("run.json.tmp");
    // Left by a crash, or a link that another user has put there.
    Files.deleteIfExists(temporary);
    Files.write(
        temporary,
        JSON.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(run),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE);
    AtomicFile.DURABLE.give(temporary, info());
  }

  /**
   * Reads {@code run.json}. An older format is converted to this one.
   *
   * @throws IOException if the file is missing, is not JSON, has a field of another type, or has a
   *     newer format than {@link RunInfo#FORMAT}; the message names file and line
   */
  public RunInfo read() throws IOException {
    RunInfo run = parsed();
    if (run.format() > RunInfo.FORMAT) {
      throw new IOException(
          "%s: expected format %d or older, found %d; use the program that wrote it"
              .formatted(info(), RunInfo.FORMAT, run.format()));
    }
    if (run.configuration() == null) {
      throw new IOException(info() + ": expected the description of a run, found no configuration");
    }
    if (Stream.of(run.environment(), run.data())
        .flatMap(facts -> facts.values().stream())
        .anyMatch(Objects::isNull)) {
      throw new IOException(
          info() + ": expected texts in environment and data, found null; take it out");
    }
    return run.inThisFormat();
  }

  private RunInfo parsed() throws IOException {
    try {
      byte[] text = BoundedFile.read(info(), "the description of a run", DataLimits.RUN_JSON_BYTES);
      RunInfo run = DESCRIPTION.readValue(text);
      if (run == null) {
        throw new IOException(info() + ": expected the description of a run, found null");
      }
      return run;
    } catch (JsonProcessingException e) {
      throw new IOException(unlike(e), e);
    }
  }

  private String unlike(JsonProcessingException e) {
    int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
    String where = "%s line %s: ".formatted(info(), line);
    if (e instanceof JsonMappingException wrong && !wrong.getPath().isEmpty()) {
      String field =
          wrong.getPath().stream()
              .map(part -> part.getFieldName() == null ? "item" : part.getFieldName())
              .collect(Collectors.joining("."));
      return "%s%s: expected %s, found another value"
          .formatted(where, Printable.printable(field), kind(e));
    }
    String found = Printable.printable(e.getOriginalMessage()).lines().findFirst().orElse("");
    return where + "expected the description of a run, found " + found;
  }

  private static String kind(JsonProcessingException e) {
    Class<?> type = e instanceof MismatchedInputException wrong ? wrong.getTargetType() : null;
    if (type == null) {
      return "a value in range";
    }
    if (type == int.class || type == long.class) {
      return "a whole number of " + (type == int.class ? 32 : 64) + " bits";
    }
    if (type == double.class) {
      return "a number";
    }
    return type == String.class ? "a text" : type == List.class ? "a list" : "an object";
  }

  /**
   * All records of the master, in memory, in the order written.
   *
   * @throws io.github.amb.core.option.UsageException if the log exceeds its limit
   */
  public List<LogRecord> masterRecords() throws IOException {
    return LogReader.read(masterLog());
  }

  /** Passes on all records of the master, in the order written. */
  public void masterRecords(Consumer<LogRecord> sink) throws IOException {
    LogReader.read(masterLog(), sink);
  }

  /**
   * The master's records. If {@code amb evaluate} has made tests, tests are last, by step, and each
   * step has the one on the most test examples.
   */
  public ThinnedLog recordsWithAllTests() throws IOException {
    List<LogRecord> later = evaluatorRecords();
    ThinnedLog records = new ThinnedLog();
    if (later.isEmpty()) {
      masterRecords(records::add);
      return records;
    }
    ThinnedLog tests = new ThinnedLog();
    masterRecords(record -> (record instanceof EvaluationRecord ? tests : records).add(record));
    later.forEach(tests::add);
    Map<Long, EvaluationRecord> byStep = new TreeMap<>();
    LogRecord.of(EvaluationRecord.class, tests.records())
        .forEach(test -> byStep.merge(test.step(), test, EvaluationRecord::larger));
    byStep.values().forEach(records::add);
    return records;
  }

  /**
   * The master's last update, or null if there is none. Of a long log, only the end is read.
   *
   * @throws IOException if a line there is not a record
   */
  public StepRecord lastStep() throws IOException {
    if (!Files.exists(masterLog())) {
      return null;
    }
    for (int bytes = TAIL; bytes <= LONG_TAIL; bytes *= 4) {
      StepRecord last = last(StepRecord.class, masterLog(), bytes);
      if (last != null) {
        return last;
      }
    }
    AtomicReference<StepRecord> last = new AtomicReference<>();
    masterRecords(
        record -> {
          if (record instanceof StepRecord step) {
            last.set(step);
          }
        });
    return last.get();
  }

  /** The last record of a type within the last bytes of a log; null if there is none. */
  private static <T extends LogRecord> T last(Class<T> type, Path log, int bytes)
      throws IOException {
    List<String> lines = Files.exists(log) ? tail(log, bytes) : List.of();
    for (int i = lines.size() - 1; i >= 0; i--) {
      LogRecord record = JSON.readValue(lines.get(i), LogRecord.class);
      if (type.isInstance(record)) {
        return type.cast(record);
      }
    }
    return null;
  }

  /** The complete lines among the last bytes of a log, in order. */
  private static List<String> tail(Path log, int bytes) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(BoundedFile.expectFile(log))) {
      long begin = Math.max(0, channel.size() - bytes);
      byte[] end = Channels.newInputStream(channel.position(begin)).readNBytes(bytes);
      String text = new String(end, StandardCharsets.UTF_8);
      int first = begin == 0 ? 0 : text.indexOf('\n') + 1;
      return text.substring(first, Math.max(first, text.lastIndexOf('\n') + 1)).lines().toList();
    }
  }

  /**
   * The master's first update, or null if there is none. Of a long log, only the beginning is read.
   *
   * @throws IOException if a line there is not a record
   */
  public StepRecord firstStep() throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(masterLog())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (JSON.readValue(line, LogRecord.class) instanceof StepRecord step) {
          return step;
        }
      }
      return null;
    }
  }

  /**
   * The last test by the master or {@code amb evaluate}, that of the later step, within the last
   * megabyte of their logs; null if there is none.
   *
   * @throws IOException if a line there is not a record
   */
  public EvaluationRecord lastEvaluation() throws IOException {
    EvaluationRecord own = last(EvaluationRecord.class, masterLog(), LONG_TAIL);
    EvaluationRecord other = last(EvaluationRecord.class, evaluatorLog(), LONG_TAIL);
    return own == null || other != null && other.step() > own.step() ? other : own;
  }

  /** All evaluations by {@code amb evaluate}, in the order written; empty if there are none. */
  public List<LogRecord> evaluatorRecords() throws IOException {
    return Files.exists(evaluatorLog()) ? LogReader.read(evaluatorLog()) : List.of();
  }

  /**
   * All records of one worker, in memory, in the order written; empty if the worker has no log.
   *
   * @throws io.github.amb.core.option.UsageException if the log exceeds its limit
   */
  public List<LogRecord> workerRecords(int rank) throws IOException {
    return Files.exists(workerLog(rank)) ? LogReader.read(workerLog(rank)) : List.of();
  }

  /** Passes on all records of a worker that has a log, in the order written. */
  public void workerRecords(int rank, Consumer<WorkerRecord> sink) throws IOException {
    LogReader.read(
        workerLog(rank),
        record -> {
          if (record instanceof WorkerRecord worker) {
            sink.accept(worker);
          }
        });
  }

  /** Ranks of the workers that have a log, ascending. */
  public List<Integer> workers() throws IOException {
    return Folder.names(path).stream()
        .filter(name -> name.matches("worker-\\d{1,9}\\.jsonl"))
        .map(name -> Integer.valueOf(name.replaceAll("\\D", "")))
        .sorted()
        .toList();
  }
}
