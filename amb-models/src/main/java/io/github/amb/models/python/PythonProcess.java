package io.github.amb.models.python;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.file.Closing;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.Json;
import io.github.amb.core.file.Printable;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A process that answers requests: Python with {@code worker.py}, or another program with the same
 * protocol. A message is a length of four bytes, the first one highest, and that many bytes of
 * JSON. Vectors are in files that both processes map. Used by one thread at a time.
 */
final class PythonProcess implements AutoCloseable {
  private static final String PROTOCOL = "amb-gradients";
  private static final int VERSION = 1;
  private static final int MAX_REPLY = 1 << 22;
  private static final int SHOWN_LINES = 6;
  private static final int SHOWN_CHARACTERS = 300;

  /** Lines below those of a traceback, which say nothing alone. */
  private static final Pattern MARKS = Pattern.compile("[\\^~ ]*");

  private static final int SIGNALED = 128;
  private static final int END_SECONDS = 5;
  private static final int ZEROS = 1 << 16;
  private static final String WORKER = "worker.py";
  private static final String PREFIX = "amb-python-";
  private static final List<Path> PLACES =
      List.of(Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir")));

  /** The C library then keeps the memory of a step for the next one: a quarter less of time. */
  private static final Map<String, String> ALLOCATION =
      Map.of("MALLOC_TRIM_THRESHOLD_", "1073741824", "MALLOC_MMAP_THRESHOLD_", "33554432");

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private static final ScheduledThreadPoolExecutor LIMITS =
      new ScheduledThreadPoolExecutor(1, Daemon.factory("limit of Python"));

  static {
    LIMITS.setRemoveOnCancelPolicy(true);
  }

  private final PythonFile file;
  private final Process process;
  private final DataOutputStream requests;
  private final DataInputStream replies;
  private final Thread reader;
  private final Deque<String> lines = new ArrayDeque<>(); // The last ones of standard error.
  private volatile boolean late;
  private boolean ready;

  /** What it said of itself first. */
  final JsonNode greeting;

  /** The end of a process that computes, or an answer of it that is none. */
  static final class PythonException extends RuntimeException {
    PythonException(String message) {
      super(message);
    }
  }

  /**
   * Starts a process and greets it.
   *
   * @param form of examples, for a module; null for the file's own examples
   * @throws UsageException if it cannot be started, or does not answer as it has to
   */
  PythonProcess(PythonFile file, Map<String, ?> form) {
    this.file = file;
    Map<String, Object> hello = new LinkedHashMap<>();
    hello.put("protocol", PROTOCOL);
    hello.put("version", VERSION);
    hello.put("file", file.file().toString());
    hello.put("options", file.options());
    hello.put("form", form);
    Path worker = null;
    try (InputStream program = PythonProcess.class.getResourceAsStream(WORKER)) {
      worker = SharedPlace.fresh(PREFIX).resolve(WORKER);
      Files.copy(program, worker);
      ProcessBuilder builder = new ProcessBuilder(file.program(), worker.toString());
      ALLOCATION.forEach(builder.environment()::putIfAbsent);
      process = builder.start();
      requests = new DataOutputStream(process.getOutputStream());
      replies = new DataInputStream(process.getInputStream());
      reader = Daemon.start("standard error of Python", this::readErrors, e -> {});
      greeting = request("hello", hello);
      expect(PROTOCOL.equals(greeting.path("protocol").asText()), "protocol " + PROTOCOL, greeting);
      expect(greeting.path("version").asInt() == VERSION, "version " + VERSION, greeting);
    } catch (IOException e) {
      throw new UsageException(
          "%s: expected a Python with PyTorch, found none at '%s': %s; name one with python=PROGRAM"
              + " or AMB_PYTHON",
          file, file.program(), FileFailure.reason(e));
    } finally {
      delete(worker);
      delete(worker == null ? null : worker.getParent());
    }
  }

  private static void delete(Path path) {
    if (path != null) {
      Closing.quietly(() -> Files.deleteIfExists(path));
    }
  }

  private void readErrors() {
    try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = errors.readLine(); line != null; line = errors.readLine()) {
        System.err.println(Printable.printable(line));
        String text = line.strip();
        if (!MARKS.matcher(text).matches()) {
          keep(text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) : text);
        }
      }
    } catch (IOException e) {
      // The process has been ended.
    }
  }

  private synchronized void keep(String line) {
    lines.add(line);
    if (lines.size() > SHOWN_LINES) {
      lines.remove();
    }
  }

  private synchronized String lastLines() {
    return lines.isEmpty() ? "it wrote none" : String.join(" | ", lines);
  }

  /**
   * Sends a request and waits for the reply.
   *
   * @throws PythonException if the process ends, does not answer in time, or answers wrongly; a
   *     {@link UsageException} before it is {@link #ready}
   */
  JsonNode request(String what, Map<String, ?> values) {
    Map<String, Object> message = new LinkedHashMap<>(values);
    message.put("do", what);
    byte[] body = Json.line(message).getBytes(StandardCharsets.US_ASCII);
    Future<?> limit = LIMITS.schedule(this::end, file.seconds(), TimeUnit.SECONDS);
    try {
      requests.writeInt(body.length);
      requests.write(body);
      requests.flush();
      int length = replies.readInt();
      if (length < 0 || length > MAX_REPLY) {
        throw failure(what, "expected a reply of at most %d bytes, found %d", MAX_REPLY, length);
      }
      byte[] found = new byte[length];
      replies.readFully(found);
      JsonNode reply = JSON.readTree(found);
      if (!reply.isObject()) {
        throw failure(what, "expected a JSON object, found %s", Printable.shown(reply.toString()));
      }
      return reply;
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw failure(what, "expected a reply in JSON, found another one");
    } catch (IOException e) {
      throw ended(what);
    } finally {
      limit.cancel(false);
    }
  }

  private void end() {
    late = true;
    process.toHandle().destroyForcibly();
  }

  private RuntimeException ended(String what) {
    Waits.uninterrupted(() -> process.waitFor(END_SECONDS, TimeUnit.SECONDS));
    if (late) {
      return failure(what, "expected an answer within %d s, found none", file.seconds());
    }
    if (process.isAlive()) {
      return failure(what, "expected an answer, found its output closed");
    }
    int code = process.exitValue();
    return code > SIGNALED
        ? failure(what, "was killed by signal %d", code - SIGNALED)
        : failure(what, "ended with exit code %d", code);
  }

  /** Failures are from now on those of a computation, not of what the user chose. */
  void ready() {
    ready = true;
  }

  /** Ends the process; the message has its last lines. */
  private RuntimeException failure(String what, String problem, Object... values) {
    process.toHandle().destroyForcibly(); // Unlike that of a process, it leaves streams open.
    Waits.uninterrupted(() -> reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS)));
    close();
    String message =
        "%s: %s (pid %d) at %s: %s; its last lines: %s"
            .formatted(
                file,
                file.program(),
                process.pid(),
                what,
                problem.formatted(values),
                Printable.printable(lastLines()));
    return ready ? new PythonException(message) : new UsageException(message);
  }

  /**
   * Checks an answer.
   *
   * @throws RuntimeException if it is not as expected, as {@link #request}; the process is ended
   */
  void expect(boolean condition, String expected, JsonNode found) {
    if (!condition) {
      String shown = Printable.shown(found.toString());
      throw failure("hello", "expected %s, found %s", expected, shown);
    }
  }

  /**
   * Memory that both processes share: a file without a name once the other process has mapped it.
   *
   * @param what the other process calls it
   * @return zeros, in this machine's byte order
   */
  ByteBuffer map(String what, long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new UsageException(
          "%s: expected %s of at most %d bytes, found %d", file, what, Integer.MAX_VALUE, bytes);
    }
    IOException last = null;
    for (Path place : PLACES) {
      Path path = null;
      try {
        path = Files.createTempFile(place, PREFIX, null);
        ByteBuffer memory = zeros(path, bytes);
        request("map", Map.of("what", what, "path", path.toString(), "bytes", bytes));
        return memory;
      } catch (IOException e) {
        last = e;
      } finally {
        delete(path);
      }
    }
    throw new UsageException(
        "%s: expected room for %d bytes of %s in one of %s, found none: %s",
        file, bytes, what, PLACES, FileFailure.reason(last));
  }

  /** Written rather than extended, so that there is room for each page. */
  private static ByteBuffer zeros(Path path, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      while (channel.position() < bytes) {
        long left = bytes - channel.position();
        channel.write(ByteBuffer.allocate((int) Math.min(left, ZEROS)));
      }
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes).order(ByteOrder.nativeOrder());
    }
  }

  /** Ends the process, and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly();
    Waits.uninterrupted(() -> process.waitFor(END_SECONDS, TimeUnit.SECONDS));
  }
}
