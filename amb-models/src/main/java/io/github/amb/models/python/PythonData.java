package io.github.amb.models.python;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Data sets of the functions {@code train} and {@code test} of a user's file. */
public final class PythonData implements Plugin<DataSetDefinition> {
  @Override
  public List<DataSetDefinition> entries() {
    return List.of(
        new OfFile(
            PythonFile.NAME, PythonFile.of("data set", new EntryArguments(PythonFile.NAME, ""))));
  }

  private static final class OfFile implements DataSetDefinition {
    private final String name;
    private final PythonFile file;
    private DataSet data;

    OfFile(String name, PythonFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public Description description() {
      return Description.of(name, "datasets of your own Python file")
          .use("Any data that PyTorch reads, for a network python.");
    }

    @Override
    public String arguments() {
      return PythonFile.USAGE;
    }

    @Override
    public DataSetDefinition chosen(String text, EntryArguments given) {
      return new OfFile(text, PythonFile.of("data set", given));
    }

    @Override
    public synchronized DataSet load(Path directory, long seed) {
      if (data == null) {
        try (PythonProcess process = new PythonProcess(file, null)) {
          data = read(process);
        }
      }
      return data;
    }

    private DataSet read(PythonProcess process) {
      JsonNode greeting = process.greeting;
      int train = greeting.path("train").asInt();
      int test = greeting.path("test").asInt();
      int classes = greeting.path("classes").asInt();
      boolean some = train > 0 && test > 0 && classes >= 0 && (long) train + test < 1 << 30;
      process.expect(some, "examples to train and to test, and classes from 0", greeting);
      int[] labels = new int[classes == 0 ? 0 : train + test];
      if (classes > 0) {
        var memory = process.map("labels", Integer.BYTES * (long) labels.length);
        process.request("labels", Map.of());
        memory.asIntBuffer().get(labels);
        for (int label : labels) {
          process.expect(0 <= label && label < classes, "labels from 0 to classes - 1", greeting);
        }
      }
      return new DataSet(
          name,
          new ImageShape(1, 1, 1),
          Math.max(1, classes),
          new PythonExamples(file, 0, train, labels),
          new PythonExamples(file, train, test, labels));
    }

    @Override
    public int trainingExamples() {
      return load(null, 0).train().count();
    }

    @Override
    public int testExamples() {
      return load(null, 0).test().count();
    }

    @Override
    public String network() {
      return file.network();
    }

    @Override
    public Map<String, String> checksums(Path directory) {
      return file.checksums();
    }
  }
}
