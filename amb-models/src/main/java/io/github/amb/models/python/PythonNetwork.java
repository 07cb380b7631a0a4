package io.github.amb.models.python;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleForm;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** A PyTorch module of a user's file, as a network that computes its own gradients. */
public final class PythonNetwork implements Plugin<NetworkDefinition> {
  private static final Map<String, Block.Kind> KINDS =
      Map.of(
          "weight", Block.Kind.WEIGHT,
          "bias", Block.Kind.BIAS,
          "statistic", Block.Kind.RUNNING_STATISTIC);

  /** A process that has said its layout waits so long for the source that takes it. */
  private static final int SPARE_SECONDS = 60;

  @Override
  public List<NetworkDefinition> entries() {
    return List.of(
        NetworkDefinition.of(
            Description.of(PythonFile.NAME, "a PyTorch module of your own Python file")
                .use("Any module that PyTorch differentiates; a process of Python computes it.")
                .source("docs/how-to/train-a-pytorch-module.md"),
            PythonFile.USAGE,
            given -> new OfFile(PythonFile.of("network", given))));
  }

  /** The objective of one file; its processes start with a form of examples. */
  private static final class OfFile implements Objective {
    private final PythonFile file;
    private Started started; // The last one, whose layout is known.
    private PythonProcess spare; // Its process, unless a source or time has taken it.

    private record Started(ExampleForm form, Layout layout, String about) {}

    OfFile(PythonFile file) {
      this.file = file;
    }

    @Override
    public synchronized Layout layout(ExampleForm form) {
      if (started == null || !started.form().equals(form)) {
        end(spare);
        PythonProcess process = start(form);
        spare = process;
        CompletableFuture.delayedExecutor(SPARE_SECONDS, TimeUnit.SECONDS)
            .execute(() -> end(process));
      }
      return started.layout();
    }

    /** Its own thread, or that of a source, never both: the spare process is no source's. */
    private synchronized void end(PythonProcess process) {
      if (process != null && spare == process) {
        spare = null;
        process.close();
      }
    }

    private PythonProcess start(ExampleForm form) {
      var shape = form.shape();
      PythonProcess process =
          new PythonProcess(
              file,
              Map.of(
                  "shape", List.of(shape.channels(), shape.height(), shape.width()),
                  "classes", form.classes(),
                  "targets", form.targets().toString()));
      String about = process.greeting.path("about").asText("Python");
      started = new Started(form, layout(process), about);
      return process;
    }

    @Override
    public synchronized GradientSource open(DataSet data) {
      Layout layout = layout(data.form());
      PythonProcess process = spare == null ? start(data.form()) : spare;
      spare = null;
      return new PythonSource(process, layout, data);
    }

    @Override
    public void check(DataSet data) {
      layout(data.form());
      boolean weighted =
          IntStream.range(0, data.classes()).anyMatch(i -> data.train().weight(i) != 1);
      if (weighted) {
        throw new UsageException(
            "--class-weights: expected none for %s, whose file has its own loss; leave it out",
            file);
      }
    }

    @Override
    public Map<String, String> checksums() {
      return file.checksums();
    }

    @Override
    public synchronized String engine() {
      return started == null ? PythonFile.NAME : started.about();
    }

    private static Layout layout(PythonProcess process) {
      List<Block> blocks = new ArrayList<>();
      long end = 0;
      for (JsonNode block : process.greeting.path("blocks")) {
        String name = block.path("name").asText();
        Block.Kind kind = KINDS.get(block.path("kind").asText());
        JsonNode shape = block.path("shape");
        boolean positive =
            StreamSupport.stream(shape.spliterator(), false)
                .allMatch(size -> size.canConvertToInt() && size.intValue() > 0);
        boolean known = !name.isEmpty() && kind != null && shape.isArray() && positive;
        process.expect(known, "blocks with name, kind and shape", block);
        int start = (int) end;
        int[] sizes = IntStream.range(0, shape.size()).map(i -> shape.get(i).intValue()).toArray();
        double length = IntStream.of(sizes).asDoubleStream().reduce(1, (a, b) -> a * b);
        end += (long) length;
        process.expect(end <= Integer.MAX_VALUE, "at most 2^31 - 1 parameters", block);
        blocks.add(new Block(name, kind, start, sizes));
      }
      process.expect(!blocks.isEmpty(), "a module with parameters", process.greeting);
      return new Layout(blocks);
    }
  }
}
