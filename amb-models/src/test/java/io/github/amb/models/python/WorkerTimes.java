package io.github.amb.models.python;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Prints milliseconds of a gradient by a worker of Python and by PyTorch's own loop, step by step
 * in turn: {@code WorkerTimes FILE.py OPTIONS DATA EXAMPLES PARTITIONS SITTINGS DATA_DIR}.
 */
final class WorkerTimes {
  private static final int REPETITIONS = 60;
  private static final int WARM_UP = 10;

  private WorkerTimes() {}

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    DataSet data = DataSets.load(arguments[2], Path.of(arguments[6]), 1);
    int examples = Integer.parseInt(arguments[3]);
    int partitions = Integer.parseInt(arguments[4]);
    int size = examples / partitions;
    int[][] parts = new int[partitions][];
    for (int i = 0; i < partitions; i++) {
      parts[i] = IntStream.range(i * size, (i + 1) * size).toArray();
    }
    TorchWorkerTest own = new TorchWorkerTest();
    own.directory = Files.createTempDirectory("worker-times");
    var network = Networks.named("python:" + file + "," + arguments[1]);
    double[] ratios = new double[Integer.parseInt(arguments[5])];
    for (int sitting = 0; sitting < ratios.length; sitting++) {
      try (GradientSource source = Networks.open(network, NetworkOptions.USUAL, data)) {
        float[] parameters = new float[source.layout().size()];
        source.initialize(1, parameters);
        List<Block> trained =
            source.layout().blocks().stream()
                .filter(block -> block.kind() != Block.Kind.RUNNING_STATISTIC)
                .toList();
        own.write(data, parameters, trained, parts, arguments[1], examples);
        Process loop = own.own(file).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        ratios[sitting] = ratio(source, parameters, parts, loop);
        loop.destroy();
      }
    }
    Arrays.sort(ratios);
    System.out.printf("median of %d sittings %.4f%n", ratios.length, ratios[ratios.length / 2]);
  }

  private static double ratio(
      GradientSource source, float[] parameters, int[][] parts, Process loop) throws IOException {
    float[] gradient = new float[parameters.length];
    double[] worker = new double[REPETITIONS];
    double[] alone = new double[REPETITIONS];
    var times = loop.inputReader();
    var requests = loop.outputWriter();
    ProcessHandle python =
        ProcessHandle.current()
            .children()
            .filter(child -> child.pid() != loop.pid())
            .findFirst()
            .orElseThrow();
    double[] workerUsed = new double[REPETITIONS];
    double[] aloneUsed = new double[REPETITIONS];
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
      int at = Math.max(0, i);
      double used = processor(python) + ownProcessor();
      long begin = System.nanoTime();
      source.begin(parameters, i);
      for (int[] part : parts) {
        source.accumulate(part, 0, part.length);
      }
      source.finish(gradient);
      worker[at] = (System.nanoTime() - begin) / 1e6;
      workerUsed[at] = processor(python) + ownProcessor() - used;
      used = processor(loop.toHandle());
      requests.write("again\n");
      requests.flush();
      alone[at] = Double.parseDouble(times.readLine());
      aloneUsed[at] = processor(loop.toHandle()) - used;
    }
    double ratio = say("elapsed", worker, alone);
    say("processor", workerUsed, aloneUsed);
    return ratio;
  }

  private static double say(String what, double[] worker, double[] alone) {
    Arrays.sort(worker);
    Arrays.sort(alone);
    double ratio = worker[REPETITIONS / 2] / alone[REPETITIONS / 2];
    System.out.printf(
        "%s: median %.3f ms, alone %.3f ms, %.4f; least %.3f ms, alone %.3f ms%n",
        what, worker[REPETITIONS / 2], alone[REPETITIONS / 2], ratio, worker[0], alone[0]);
    return ratio;
  }

  /** Milliseconds that the first thread of a process has computed. */
  private static double processor(ProcessHandle process) throws IOException {
    Path statistics = Path.of("/proc/" + process.pid() + "/schedstat");
    return Long.parseLong(Files.readString(statistics).split(" ")[0]) / 1e6;
  }

  private static double ownProcessor() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e6;
  }
}
