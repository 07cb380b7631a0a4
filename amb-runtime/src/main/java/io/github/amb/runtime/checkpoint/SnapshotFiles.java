package io.github.amb.runtime.checkpoint;

import io.github.amb.core.file.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files of a checkpoint.
 *
 * @param snapshot the content
 * @param directory a new directory for the files
 * @param disk asked before each file is written
 */
record SnapshotFiles(Snapshot snapshot, Path directory, Disk disk) {
  /**
   * Writes the files durably.
   *
   * @param run identity of the run, for the manifest
   * @param state whether to write the states of master and workers
   * @throws IOException if a file cannot be written
   */
  void write(Map<String, String> run, boolean state) throws IOException {
    Map<String, Manifest.FileSum> files = new LinkedHashMap<>();
    add(files, Checkpoint.PARAMETERS, out -> NpyFormat.write(out, snapshot.parameters()));
    if (state) {
      var master = snapshot.master.without(Snapshot.PARAMETERS);
      add(files, Checkpoint.MASTER, out -> NpzFormat.write(out, master));
      for (var worker : snapshot.workers.entrySet()) {
        String name = Checkpoint.workerFile(worker.getKey());
        add(files, name, out -> NpzFormat.write(out, worker.getValue()));
      }
    }
    Manifest manifest =
        new Manifest(
            Manifest.FORMAT,
            snapshot.step,
            snapshot.seconds,
            snapshot.accuracy,
            run,
            Manifest.blocks(snapshot.layout),
            new LinkedHashMap<>(files));
    byte[] json = Manifest.JSON.writeValueAsBytes(manifest);
    add(files, Manifest.NAME, out -> out.write(json));
    String line = Checkpoint.sumLine(files.get(Manifest.NAME).sha256());
    add(
        files,
        Checkpoint.MANIFEST_SUM,
        out -> out.write(line.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private void add(Map<String, Manifest.FileSum> files, String name, DurableFile.Content content)
      throws IOException {
    disk.check();
    files.put(name, DurableFile.write(directory.resolve(name), content));
  }
}
