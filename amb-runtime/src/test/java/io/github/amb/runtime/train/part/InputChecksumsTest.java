package io.github.amb.runtime.train.part;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.evaluate.EvaluateCommand;
import io.github.amb.runtime.runs.ExportCommand;
import io.github.amb.runtime.train.TrainCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class InputChecksumsTest {
  @TempDir Path folder;
  private Path run;
  private Path network;
  private Path data;

  @BeforeEach
  void train() throws Exception {
    run = folder.resolve("run");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      rows.append(i % 10).append(",0.5,").append(i).append(".5\n");
    }
    data = Files.writeString(folder.resolve("data.csv"), rows);
    network = folder.resolve("network.json");
    Files.writeString(network, Networks.json("mlp").replaceAll("\"nin\" : 784", "\"nin\" : 2"));
    String options = " fmb sgd 4 --workers 1 --engine sim --cost-per-example 0.001 --last-step 3";
    int code =
        new TrainCommand()
            .run(words(data + options + " --network " + network + " --run-directory " + run));
    assertEquals(0, code);
  }

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  private static void expectRejected(Path file, Command command, String words) {
    String problem =
        assertThrows(UsageException.class, () -> command.run(words(words))).getMessage();
    assertTrue(problem.contains(file + ": expected SHA-256"), problem);
  }

  private RunInfo info() throws IOException {
    return new RunDirectory(run).read();
  }

  @Test
  void everyFileIsInRunJson() throws Exception {
    assertEquals(
        Map.of(data.toString(), Sha256.of(data), network.toString(), Sha256.of(network)),
        info().data());
  }

  @Test
  void whatTheReaderNotedIsInRunJson() throws Exception {
    assertEquals(
        "every tenth example is held out for testing: 4 of 40",
        info().environment().get("data_note"));
  }

  @Test
  void unchangedFilesAreAccepted() throws Exception {
    assertEquals(0, new EvaluateCommand().run(words(run.toString())));
    assertEquals(0, new TrainCommand().run(words("--resume " + run + " --last-step 4")));
    Path replay = folder.resolve("replay");
    String words = "--replay " + run + " --run-directory " + replay;
    assertEquals(0, new TrainCommand().run(words(words)));
    assertTrue(new RunDirectory(replay).read().data().containsKey(run + " (records)"));
  }

  @Test
  void aChangedNetworkIsRejectedByAllThatReadIt() throws Exception {
    Files.writeString(network, Files.readString(network) + "\n");
    expectRejected(network, new TrainCommand(), "--resume " + run + " --last-step 4");
    expectRejected(network, new TrainCommand(), "--replay " + run);
    expectRejected(network, new EvaluateCommand(), run.toString());
    expectRejected(network, new ExportCommand(), run + " --output " + folder.resolve("out"));
  }

  @Test
  void changedDataAreRejectedByAllThatReadThem() throws Exception {
    Files.writeString(data, Files.readString(data) + "1,2,3.5\n");
    expectRejected(data, new TrainCommand(), "--resume " + run + " --last-step 4");
    expectRejected(data, new TrainCommand(), "--replay " + run);
    expectRejected(data, new EvaluateCommand(), run.toString());
  }

  @Test
  void aRunOfAnOlderProgramIsRead() throws Exception {
    RunInfo old = info();
    Map<String, String> dataAlone = Map.of(data.toString(), Sha256.of(data));
    new RunDirectory(run)
        .write(
            new RunInfo(
                old.format(),
                old.id(),
                old.started(),
                old.command(),
                old.configuration(),
                old.seed(),
                old.environment(),
                dataAlone,
                old.ending()));
    InputChecksums.expect("old", info(), Map.of(network.toString(), "0"));
  }
}
