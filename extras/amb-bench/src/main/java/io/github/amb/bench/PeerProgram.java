package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.AmbProgram;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.core.option.Setting;
import io.github.amb.runtime.launch.JvmCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program that computes gradients of one network on request.
 *
 * <p>After its own arguments it gets the network's name, a directory, channels, height, width and
 * classes. The directory has the configuration in DL4J's format (network.json) and the blocks of
 * parameters (blocks.txt: name, kind, dimensions). The program computes a gradient of {@link
 * #FIRST_BATCH} examples and prints {@code peer ready PARAMETERS}. For each line {@code BATCH
 * SECONDS} on standard input, it computes gradients of BATCH examples until SECONDS have passed,
 * and prints {@code peer speed EXAMPLES_PER_SECOND}. Other lines are ignored.
 *
 * @param name its name in the tables
 * @param command the program with its own arguments
 */
record PeerProgram(String name, List<String> command) {
  static final int FIRST_BATCH = 8;
  static final String OURS = "amb";
  static final String TORCH = "pytorch";
  static final String TENSORFLOW = "tensorflow";

  static final Setting<String> PYTHON =
      text("python", "/usr/bin/python3", "a program", "the Python that has PyTorch");
  static final Setting<String> TORCH_PROGRAM =
      text("torch", null, "a file", "scripts/peers/torch_peer.py");
  static final Setting<String> TENSORFLOW_CLASSES =
      text("tensorflow", null, "a class path", "classes of TensorFlow-Java's peer");

  static final Setting<String> PRECISION =
      Setting.oneOf("precision", "fp32", "bf16").help("of what is multiplied; sums are in fp32");

  private static final List<String> FLAGS =
      List.of("-XX:+UseSerialGC", "-Xmx256m", "-Dorg.bytedeco.javacpp.maxphysicalbytes=0");
  private static final String TENSORFLOW_MAIN = "io.github.amb.peers.tensorflow.TensorFlowPeer";

  /** This program's engine, in a JVM with a worker's options. */
  static PeerProgram ours(List<String> precision) {
    List<String> flags = new ArrayList<>(JvmCommand.sharedClasses());
    flags.addAll(FLAGS);
    return new PeerProgram(OURS, AmbProgram.java(flags, AmbPeer.class, precision));
  }

  /**
   * This program and the other ones that are installed.
   *
   * @param notes receives a sentence for each that is not installed
   */
  static List<PeerProgram> installed(BenchmarkRun given, List<String> notes)
      throws IOException, InterruptedException {
    List<String> precision = List.of("--precision", given.get(PRECISION));
    List<PeerProgram> peers = new ArrayList<>(List.of(ours(precision)));
    String program = given.text(TORCH_PROGRAM);
    String python = given.text(PYTHON);
    if (program == null) {
      notes.add("SKIPPED: PyTorch, as no --torch was given (scripts/bench-peers gives it)");
    } else {
      Optional<String> version = torchVersion(python);
      List<String> command = new ArrayList<>(List.of(python, program));
      command.addAll(precision);
      version.ifPresent(found -> peers.add(new PeerProgram(TORCH, command)));
      notes.add(
          version
              .map(found -> "PyTorch " + found)
              .orElse(
                  "SKIPPED: PyTorch, as " + python + " has none: apt-get install python3-torch"));
    }
    String classes = given.text(TENSORFLOW_CLASSES);
    if (classes == null) {
      notes.add(
          "SKIPPED: TensorFlow-Java, as no --tensorflow was given (scripts/bench-peers --tensorflow"
              + " gives it)");
    } else if (!given.get(PRECISION).equals(PRECISION.fallback())) {
      notes.add("SKIPPED: TensorFlow-Java, which computes in fp32");
    } else {
      peers.add(
          new PeerProgram(TENSORFLOW, AmbProgram.java(FLAGS, classes, TENSORFLOW_MAIN, List.of())));
    }
    return peers;
  }

  /** The version of a Python's PyTorch; empty if it has none that can be imported in 60 s. */
  private static Optional<String> torchVersion(String python)
      throws IOException, InterruptedException {
    if (!Path.of(python).toFile().canExecute()) {
      return Optional.empty();
    }
    Process process =
        new ProcessBuilder(python, "-c", "import torch; print(torch.__version__)")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      boolean imported = process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
      return imported ? Optional.of(process.inputReader().readLine()) : Optional.empty();
    } finally {
      process.destroyForcibly();
    }
  }
}
