package io.github.amb.plots.figure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunLabels;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The timeline in the Trace Event Format, which chrome://tracing and https://ui.perfetto.dev open.
 * It has a process per run, a thread per rank, and a complete event ({@code "ph": "X"},
 * microseconds) per phase.
 */
public final class TraceEvents {
  /** Extension of a trace's file name. */
  public static final String EXTENSION = "trace.json";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
          .build();

  private static final double MICROSECONDS = 1e6;

  /** A phase, or the name of a process or thread; the latter have no times. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Event(
      String name, String ph, int pid, int tid, Long ts, Long dur, Map<String, Object> args) {}

  private TraceEvents() {}

  /**
   * Writes all steps of runs.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(List<Run> runs, Path file) throws IOException {
    List<String> labels = RunLabels.of(runs);
    try (OutputStream out = new BufferedOutputStream(OutputFile.create(file));
        JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("displayTimeUnit", "ms");
      json.writeArrayFieldStart("traceEvents");
      for (int run = 0; run < runs.size(); run++) {
        json.writePOJO(name("process_name", run, 0, labels.get(run)));
        events(json, run, Spans.of(runs.get(run)));
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void events(JsonGenerator json, int run, List<Span> spans) throws IOException {
    for (int rank : spans.stream().mapToInt(Span::rank).distinct().toArray()) {
      json.writePOJO(name("thread_name", run, rank, rank == 0 ? "master" : "worker " + rank));
    }
    for (Span span : spans) {
      json.writePOJO(
          new Event(
              span.phase().label(),
              "X",
              run,
              span.rank(),
              Math.round(span.start() * MICROSECONDS),
              Math.round((span.end() - span.start()) * MICROSECONDS),
              Map.of("step", span.step())));
    }
  }

  private static Event name(String kind, int process, int thread, String name) {
    return new Event(kind, "M", process, thread, null, null, Map.of("name", name));
  }
}
