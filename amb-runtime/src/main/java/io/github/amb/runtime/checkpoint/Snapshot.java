package io.github.amb.runtime.checkpoint;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The content of a checkpoint: copies that training does not change. */
final class Snapshot {
  /** Name of the parameters in the master's state. */
  static final String PARAMETERS = "parameters/all";

  /** Of more workers, one file has the states: to flush a file takes milliseconds. */
  private static final int MANY = 64;

  private static final int BUFFER_BYTES = 1 << 16;

  final Layout layout;

  /** State of the master, including the parameters. */
  final StateMap master = new StateMap();

  /** States of the workers by rank; a worker may be missing. */
  final SortedMap<Integer, StateMap> workers = new TreeMap<>();

  long step;
  double seconds;

  /** Accuracy of the parameters on test examples, 0 to 1, or null. */
  private Double accuracy;

  /** Mean loss of the parameters on test examples, or null. */
  private Double loss;

  Snapshot(Layout layout) {
    this.layout = layout;
  }

  /** Sets how the parameters were tested; null if they were not. */
  void tested(EvaluationRecord test) {
    accuracy = test == null ? null : finite(test.accuracy());
    loss = test == null ? null : finite(test.testLoss());
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  float[] parameters() {
    return (float[]) master.get(PARAMETERS);
  }

  /**
   * Writes the files of a checkpoint durably.
   *
   * @param directory a new directory for the files
   * @param disk asked before each file is written
   * @param run identity of the run, for the manifest
   * @param state whether to write the states of master and workers
   * @throws IOException if a file cannot be written
   */
  void write(Path directory, Disk disk, Map<String, String> run, boolean state) throws IOException {
    Map<String, Manifest.FileSum> files = new LinkedHashMap<>();
    Target to =
        (name, content) -> {
          disk.check();
          files.put(name, durable(directory.resolve(name), content));
        };
    to.add(Checkpoint.PARAMETERS, out -> NpyArray.write(out, parameters()));
    if (state) {
      to.add(Checkpoint.MASTER, out -> arrays(out, master.without(PARAMETERS)));
      if (workers.size() > MANY) {
        StateMap all = new StateMap();
        workers.forEach((rank, saved) -> all.putAll(rank + "/", saved));
        to.add(Checkpoint.WORKERS, out -> arrays(out, all));
      } else {
        for (var worker : workers.entrySet()) {
          String name = Checkpoint.workerFile(worker.getKey());
          to.add(name, out -> arrays(out, worker.getValue()));
        }
      }
    }
    Manifest manifest =
        new Manifest(
            Manifest.FORMAT,
            step,
            seconds,
            accuracy,
            loss,
            run,
            Manifest.blocks(layout),
            new LinkedHashMap<>(files));
    to.add(Manifest.NAME, out -> out.write(Manifest.JSON.writeValueAsBytes(manifest)));
    String line = Checkpoint.sumLine(files.get(Manifest.NAME).sha256());
    to.add(Checkpoint.MANIFEST_SUM, out -> out.write(line.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** Writes all arrays of a state as NumPy's {@code .npz}, not compressed; does not close it. */
  static void arrays(OutputStream out, StateMap state) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.NO_COMPRESSION);
    for (Map.Entry<String, Object> entry : state.entries().entrySet()) {
      zip.putNextEntry(new ZipEntry(entry.getKey() + Checkpoint.ARRAY));
      NpyArray.write(zip, entry.getValue());
      zip.closeEntry();
    }
    zip.finish();
  }

  /** Adds a file to the checkpoint. */
  private interface Target {
    void add(String name, Content content) throws IOException;
  }

  /** Writes a file's content, and does not close it. */
  private interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes a new file that is on the disk when the call returns; returns length and checksum. */
  private static Manifest.FileSum durable(Path file, Content content) throws IOException {
    MessageDigest digest = Sha256.digest();
    try (OutputStream out =
        new BufferedOutputStream(
            new DigestOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), digest),
            BUFFER_BYTES)) {
      content.writeTo(out);
    }
    AtomicFile.sync(file);
    return new Manifest.FileSum(Files.size(file), HexFormat.of().formatHex(digest.digest()));
  }
}
