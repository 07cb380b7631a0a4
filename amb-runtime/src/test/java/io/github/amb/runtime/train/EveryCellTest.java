package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Folder;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.Schemes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every scheme with every codec is resumed with the same bits, continues without a worker that it
 * loses, and resumes after that. {@code SchemeCodecMatrixTest} says which codecs a scheme rejects.
 */
class EveryCellTest extends VirtualRuns {
  private static final int LAST = 6;

  /** Schemes that take vectors as they are alone. */
  private static final List<String> EXACT = List.of("coded", "scaffold", "noloco");

  static Stream<String> schemes() {
    return Schemes.ALL.names().stream();
  }

  private static List<String> codecs() {
    Stream<String> additions = Stream.of("topk:0.2+ef+min=1", "qsgd:4+ef21+min=1");
    Stream<String> all = Codecs.ALL.names().stream().map(codec -> codec + "+min=1");
    return Stream.concat(all, additions).toList();
  }

  /** One codec of each scheme, all in turn: where it is rejected, the next one. */
  @Test
  @Tag("lab")
  void aCodecOfEachSchemeIsResumedAndLosesAWorker() throws IOException {
    List<String> codecs = codecs();
    int turn = 0;
    for (String scheme : Schemes.ALL.names()) {
      while (!cell(scheme, codecs.get(turn++ % codecs.size()))) {}
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  @Tag("claims")
  @Timeout(1200)
  void everyCodecIsResumedAndLosesAWorker(String scheme) throws IOException {
    Map<String, String> failed = new TreeMap<>();
    int accepted = 0;
    for (String codec : codecs()) {
      try {
        accepted += cell(scheme, codec) ? 1 : 0;
      } catch (AssertionError | RuntimeException e) {
        failed.put(codec, e.toString());
      }
    }
    assertEquals(Map.of(), failed);
    assertEquals(EXACT.contains(scheme), accepted == 1, accepted + " codecs");
  }

  /** Returns false if the scheme rejects the codec. */
  private boolean cell(String scheme, String codec) throws IOException {
    String rule = scheme.endsWith("-graph") ? " dual-averaging 8" : " sgd 8";
    String options = LateFaultsTest.OPTIONS.getOrDefault(scheme.replace("-graph", ""), "");
    String command =
        "logistic "
            + scheme
            + rule
            + options
            + " --codec "
            + codec
            + " --network logistic-regression --engine sim --workers 3 --cost-per-example 0.02"
            + " --speed 1,0.7,0.5 --evaluate last --test-size 8 --checkpoint-every 2"
            + " --checkpoint-keep 9 --dead-after 0.5 --quiet --last-step "
            + LAST;
    String name = (scheme + "-" + codec).replaceAll("[:+=]", "-");
    RunDirectory whole;
    try {
      whole = train(name, command);
    } catch (UsageException rejected) {
      assertTrue(rejected.getMessage().contains("--codec"), rejected.getMessage());
      return false;
    }
    String parameters = whole.read().ending().parametersSha256();
    killAfterFour(whole);
    RunDirectory resumed = resume(name, "--last-step " + LAST);
    assertEquals(parameters, resumed.read().ending().parametersSha256(), name);
    int code = scheme.equals("coded") ? ExitCode.TOO_FEW_WORKERS : 0;
    RunDirectory lost = train(name + "-lost", command + " --inject kill:rank=2,step=3", code);
    killAfterFour(lost);
    RunDirectory after = resume(name + "-lost", "--last-step " + (LAST + 2));
    assertEquals(
        LongStream.rangeClosed(1, LAST + 2).boxed().toList(),
        stepRecords(after).stream().map(StepRecord::step).toList(),
        name);
    return true;
  }

  /** Leaves what a run has that was killed before its next checkpoint. */
  private static void killAfterFour(RunDirectory run) throws IOException {
    for (Path each : Folder.entries(run.checkpoints())) {
      if (each.getFileName().toString().equals("step-000000006")) {
        Disk.REAL.delete(each);
      }
    }
    run.write(run.read().withEnding(null));
  }
}
