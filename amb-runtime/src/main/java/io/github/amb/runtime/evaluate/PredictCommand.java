package io.github.amb.runtime.evaluate;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.models.data.Inputs;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.graph.GraphSource;
import io.github.amb.plots.CsvLine;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.Options;

/** {@code amb predict}: says what a trained network makes of examples. */
public final class PredictCommand extends OptionsCommand {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> FORMATS = List.of("csv", "jsonl");
  private static final int BATCH = 128;

  private final List<String> names = new ArrayList<>();
  private final List<float[]> batch = new ArrayList<>();
  private RunModel model;
  private List<String> outputs;
  private GraphSource engine;
  private boolean csv;

  /** Prints to standard output and standard error. */
  public PredictCommand() {
    super("predict", "RUN|CHECKPOINT [INPUT]...", "say what a trained network makes of examples");
  }

  @Override
  protected int run(Arguments given) throws IOException {
    if (given.positional().isEmpty()) {
      throw new UsageException("expected a run directory or checkpoint, and inputs, found none");
    }
    String format = given.value("format", "csv");
    if (!FORMATS.contains(format)) {
      throw new UsageException("--format: expected csv or jsonl, found '%s'", format);
    }
    csv = format.equals("csv");
    Path path = RunDirectory.named(given.positional().get(0)).path().toAbsolutePath().normalize();
    List<String> inputs = given.positional().subList(1, given.positional().size());
    try (RunModel opened = RunModel.of(path, given.value("data-dir", null))) {
      model = opened;
      if (model.data.text() != null) {
        throw new UsageException("%s: expected a run without a text; see amb generate", path);
      }
      engine = model.load(path, note -> err.println("amb: " + note));
      outputs = model.outputNames();
      if (csv) {
        List<String> header = new ArrayList<>(List.of("input"));
        if (model.classifies()) {
          header.add("class");
        }
        header.addAll(outputs);
        out.print(CsvLine.of(header));
      }
      Inputs read = new Inputs(model.data, this::add);
      for (String input : inputs) {
        read.read(Path.of(input));
      }
      if (inputs.isEmpty()) {
        addTests(model.data.test());
      }
      flush();
    }
    return 0;
  }

  private void addTests(Examples tests) throws IOException {
    for (int i = 0; i < tests.count(); i++) {
      float[] features = new float[model.data.shape().size()];
      tests.copyFeatures(i, features);
      add(Integer.toString(i + 1), features);
    }
  }

  private void add(String name, float[] features) throws IOException {
    names.add(name);
    batch.add(features);
    if (batch.size() == BATCH) {
      flush();
    }
  }

  private void flush() throws IOException {
    float[] rows = engine.predictions(batch.toArray(float[][]::new));
    for (int i = 0; i < names.size(); i++) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("input", names.get(i));
      int start = i * outputs.size();
      if (model.classifies()) {
        fields.put("class", model.classOf(rows, start));
      }
      Map<String, Object> found = new LinkedHashMap<>();
      for (int j = 0; j < outputs.size(); j++) {
        found.put(outputs.get(j), rows[start + j]);
      }
      out.print(text(fields, found));
    }
    out.flush();
    names.clear();
    batch.clear();
  }

  private String text(Map<String, Object> fields, Map<String, Object> found) throws IOException {
    if (csv) {
      return CsvLine.of(Stream.concat(fields.values().stream(), found.values().stream()).toList());
    }
    fields.put("outputs", found);
    return JSON.writeValueAsString(fields) + "\n";
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        format FORMAT   csv, or jsonl: an object per line. Default: csv.
        data-dir DIR    Where the data of the run are now. Default: where they were.
        """);
  }
}
