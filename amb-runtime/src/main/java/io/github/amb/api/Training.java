package io.github.amb.api;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeSettings;
import io.github.amb.models.data.ArrayDataSet;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Dl4jSetup;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.console.Progress;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.train.EmbeddedRun;
import io.github.amb.runtime.train.part.RunInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * Trains from a program, as {@code amb train} does from a shell. Nothing is printed, the program
 * never exits, and no file is written unless a run directory is set. Trainings do not influence
 * each other, and several may run at the same time. The exception is {@code reproducible=avx2}: it
 * holds all later trainings of the process to AVX2, and is rejected after one without it on a
 * processor that has more.
 *
 * <pre>{@code
 * TrainingResult result =
 *     Training.builder().data("optdigits").scheme("amb").option("amb-time-limit", 0.1).run();
 * }</pre>
 */
public final class Training {
  static {
    // Before the program's first network, or JavaCPP prints warnings.
    Dl4jSetup.ensure();
  }

  private Training() {}

  /** A training on the virtual cluster, unless another place is chosen. */
  public static Builder builder() {
    return new Builder();
  }

  /** Trains on the calling thread. */
  static TrainingResult train(EmbeddedRun run) {
    try {
      return new TrainingResult(run.run());
    } catch (UsageException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new TrainingException(FailureText.of(e), e);
    }
  }

  /** Collects what to train. Not safe for use by several threads. */
  public static final class Builder {
    /** Values that are not set. */
    private static final Map<String, String> USUAL =
        Map.of("engine", "sim", "update-rule", "rms", "batch-size", "64");

    /** Options that name another source of values. */
    private static final List<String> SOURCES = List.of("config", "resume", "replay");

    private final Map<String, String> options = new LinkedHashMap<>();
    private TrainingData train;
    private TrainingData test;
    private String network;
    private Scheme scheme;
    private boolean withoutWorkers;
    private Consumer<Progress> progress = now -> {};
    private Consumer<String> warnings = warning -> {};

    private Builder() {}

    /**
     * Sets an option of {@code amb train}; replaces an earlier value or object.
     *
     * @param name a name of the option, such as {@code last-step}
     * @param value its text is what a user would type
     */
    public Builder option(String name, Object value) {
      String option = CommandLine.longName(name.replace('_', '-'));
      switch (option) {
        case "data-set" -> {
          train = null;
          test = null;
        }
        case "network" -> network = null;
        case "scheme" -> scheme = null;
        case "engine" -> withoutWorkers = false;
        default -> {}
      }
      options.put(option, Setting.typed(value));
      return this;
    }

    /** Sets an option of a scheme, such as {@link SchemeSettings#NUM_AGGREGATE}. */
    public <T> Builder option(Setting<T> option, T value) {
      return option(option.name(), value);
    }

    /** Sets the data: a name, or the path of a folder of images, of a CSV or of an NPZ file. */
    public Builder data(String nameOrPath) {
      return option("data-set", nameOrPath);
    }

    /** Sets the data; every tenth example is for testing. */
    public Builder data(TrainingData all) {
      return data(all, null);
    }

    /** Sets the data for training and for testing, of the same shape. */
    public Builder data(TrainingData train, TrainingData test) {
      option("data-set", ArrayDataSet.NAME);
      this.train = train;
      this.test = test;
      return this;
    }

    /** Sets the network: a name, or the path of a file that DL4J wrote. */
    public Builder network(String nameOrPath) {
      return option("network", nameOrPath);
    }

    /**
     * Sets the network.
     *
     * @param layers its update rule and regularization are not used; not modified
     */
    public Builder network(MultiLayerConfiguration layers) {
      options.remove("network");
      network = layers.toJson();
      return this;
    }

    /**
     * Sets the network.
     *
     * @param layers a graph with one input and one output; its update rule and regularization are
     *     not used; not modified
     */
    public Builder network(ComputationGraphConfiguration layers) {
      options.remove("network");
      network = layers.toJson();
      return this;
    }

    /** Sets the scheme by its name. */
    public Builder scheme(String name) {
      return option("scheme", name);
    }

    /**
     * Sets the scheme, for trainings in this program.
     *
     * @param scheme made for the batch size and the number of workers that are set here
     */
    public Builder scheme(Scheme scheme) {
      option("scheme", scheme.getClass().getSimpleName());
      this.scheme = scheme;
      return this;
    }

    /** Sets the update rule, such as {@code adam}; {@code rms} unless set. */
    public Builder updateRule(String name) {
      return option("update-rule", name);
    }

    /** Sets the examples per worker and step; 64 unless set. */
    public Builder batchSize(int examples) {
      return option("batch-size", examples);
    }

    /** Sets the number of workers; 2 unless set. */
    public Builder workers(int workers) {
      return option("workers", workers);
    }

    /** Trains on the virtual cluster: workers are threads of this program, time is virtual. */
    public Builder onVirtualCluster() {
      return option("engine", "sim");
    }

    /** Trains in this program without workers, in real time, however many are set. */
    public Builder inThisProcess() {
      option("engine", "mpj");
      withoutWorkers = true;
      return this;
    }

    /** Trains on processes that this program starts; needs MPJ Express on every host. */
    public Builder onProcesses() {
      return option("engine", "mpj");
    }

    /** Sets a new directory for records and checkpoints, which commands of {@code amb} read. */
    public Builder runDirectory(Path directory) {
      return option("run-directory", directory);
    }

    /**
     * Sets who follows training.
     *
     * @param listener gets the progress at most ten times a second, on threads of the training; an
     *     exception of it ends training
     */
    public Builder onProgress(Consumer<Progress> listener) {
      progress = listener;
      return this;
    }

    /**
     * Sets who gets warnings, which are dropped otherwise.
     *
     * @param listener gets a line for people, on threads of the training
     */
    public Builder onWarning(Consumer<String> listener) {
      warnings = listener;
      return this;
    }

    /**
     * Trains on the calling thread.
     *
     * @return what was learned
     * @throws UsageException with all problems, one a line; nothing has been started then
     * @throws TrainingException if training fails
     */
    public TrainingResult run() {
      return train(checked());
    }

    /**
     * Checks the training, and starts it on a thread.
     *
     * @throws UsageException with all problems, one a line; nothing has been started then
     */
    public Running start() {
      return new Running(checked());
    }

    private EmbeddedRun checked() {
      List<String> arguments = new ArrayList<>();
      Map<String, String> all = new LinkedHashMap<>(options);
      if (SOURCES.stream().noneMatch(options::containsKey)) {
        USUAL.forEach(all::putIfAbsent);
      }
      if (withoutWorkers) {
        all.put("workers", "0");
      }
      all.forEach((name, value) -> arguments.add("--" + name + "=" + value));
      TrainingData train = this.train;
      TrainingData test = this.test;
      Supplier<DataSet> data = train == null ? null : () -> TrainingData.set(train, test);
      return new EmbeddedRun(
          arguments, new RunInput(data, network, scheme), view(progress, warnings));
    }

    private static RunView view(Consumer<Progress> progress, Consumer<String> warnings) {
      return new RunView() {
        @Override
        public void progress(Progress now) {
          progress.accept(now);
        }

        @Override
        public void warn(String warning) {
          warnings.accept(warning);
        }
      };
    }
  }
}
