package io.github.amb.runtime.train.directory;

import io.github.amb.core.file.Disk;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RecordSink;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.LastStep;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.fault.Injected;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Where a run's records, lines and checkpoints are kept. */
public interface RunOutput {
  /** The files of a run directory. */
  static RunOutput in(RunDirectory directory) {
    return new DirectoryOutput(directory);
  }

  /**
   * Opens the records.
   *
   * @param disk asked before each write
   * @param warnings receives a line when records cannot be written
   */
  RecordSink records(RunParts run, Disk disk, Consumer<String> warnings) throws IOException;

  /**
   * Opens what a rank prints, which goes nowhere without files; the caller closes it.
   *
   * @param live whether each line is written at once
   */
  default PrintStream console(int rank, boolean live) throws IOException {
    return new PrintStream(OutputStream.nullOutputStream());
  }

  /**
   * Training begins.
   *
   * @param facts about the engine and the examples
   * @param parameters the master's flat vector, which training modifies
   */
  void begin(Map<String, String> facts, float[] parameters) throws IOException;

  /** Receives each occurrence of a fault; nothing is kept without files. */
  default Consumer<Injected> faults() {
    return occurrence -> {};
  }

  /** Receives each record before it is kept; may end training by an exception. */
  default Consumer<LogRecord> watch() {
    return record -> {};
  }

  /**
   * The run's checkpoints; empty if none are kept.
   *
   * @param layout of the parameters
   * @param last the state after the last step
   * @param disk asked before each write
   * @param warnings receives a line when a checkpoint cannot be written
   */
  default Optional<RunCheckpoints> checkpoints(
      RunParts run, Layout layout, LastStep last, Disk disk, Consumer<String> warnings)
      throws IOException {
    return Optional.empty();
  }
}
