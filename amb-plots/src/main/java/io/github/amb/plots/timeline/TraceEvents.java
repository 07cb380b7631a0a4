package io.github.amb.plots.timeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunLabels;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * The timeline in the Trace Event Format, which chrome://tracing and https://ui.perfetto.dev open.
 * It has a process per run, a thread per rank, and a complete event ({@code "ph": "X"},
 * microseconds) per phase.
 */
public final class TraceEvents {
  /** Extension of a trace's file name. */
  public static final String EXTENSION = "trace.json";

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private static final double MICROSECONDS = 1e6;

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
        name(json, "process_name", run, 0, labels.get(run));
        events(json, run, Spans.of(runs.get(run)));
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void events(JsonGenerator json, int run, List<Span> spans) throws IOException {
    for (int rank : spans.stream().mapToInt(Span::rank).distinct().toArray()) {
      name(json, "thread_name", run, rank, rank == 0 ? "master" : "worker " + rank);
    }
    for (Span span : spans) {
      json.writeStartObject();
      json.writeStringField("name", span.phase().label());
      json.writeStringField("ph", "X");
      json.writeNumberField("pid", run);
      json.writeNumberField("tid", span.rank());
      json.writeNumberField("ts", Math.round(span.start() * MICROSECONDS));
      json.writeNumberField("dur", Math.round((span.end() - span.start()) * MICROSECONDS));
      json.writeObjectFieldStart("args");
      json.writeNumberField("step", span.step());
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private static void name(JsonGenerator json, String kind, int process, int thread, String name)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", kind);
    json.writeStringField("ph", "M");
    json.writeNumberField("pid", process);
    json.writeNumberField("tid", thread);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }
}
