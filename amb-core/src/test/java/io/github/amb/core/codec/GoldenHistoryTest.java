package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.SchemeSamples;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The first steps of a small run of every scheme and every codec are those of the files in {@code
 * golden/}: the parameters' bits, the loss, and the virtual time. The arithmetic is Java's, so that
 * it has the same bits on every processor. {@code -Damb.golden.write=DIRECTORY} writes the files: a
 * change of one is a change of results, which {@code CHANGELOG.md} explains.
 */
class GoldenHistoryTest {
  private static final int STEPS = 20;
  private static final double RATE = 0.5;

  private static final List<String> CODECS =
      List.of(
          "none+zstd",
          "none+lz4",
          "fp16",
          "bf16",
          "int8",
          "topk:0.2+ef",
          "topk:0.2,bits=2+ef=0.9",
          "topk:0.2+ef21",
          "qsgd:4+ef21+after=5",
          "dgc:0.2",
          "demo:8,chunk=16",
          "randomk:0.2+momentum=0.5",
          "adacomp:0.2",
          "threshold:0.2+ef",
          "qsgd:4",
          "terngrad:bucket=64",
          "atomo-svd:2",
          "atomo-entry:0.2",
          "powersgd:2+ef",
          "signsgd",
          "signsgd+after=5",
          "ef-sign",
          "onebit",
          "sketchml",
          "lss:0.2");

  /** Name of a file, then scheme, codec and codec of the downlink. */
  static List<List<String>> runs() {
    List<List<String>> runs = new ArrayList<>();
    SchemeSamples.all()
        .forEach(scheme -> runs.add(List.of(name("scheme", scheme), scheme, "none", "none")));
    for (String codec : CODECS) {
      String down = codec.startsWith("sketchml") ? "none" : "int8+min=1";
      runs.add(List.of(name("codec", codec), "fmb", codec + "+min=1", down));
    }
    return runs;
  }

  private static String name(String kind, String text) {
    return kind + "-" + text.replaceAll("[^A-Za-z0-9.]+", "-") + ".json";
  }

  /** A step as it is in a file. */
  private static Map<String, Object> step(StepRecord step, String hash) {
    Map<String, Object> cells = new LinkedHashMap<>();
    cells.put("step", step.step());
    cells.put("time", step.time());
    cells.put("loss", step.loss());
    cells.put("samples", step.numSamples());
    cells.put("parameters", hash);
    return cells;
  }

  @ParameterizedTest
  @MethodSource("runs")
  void itsFirstStepsAreAsRecorded(List<String> run) throws IOException {
    assumeTrue(Long.getLong("amb.test.seed", 0) == 0, "recorded for the usual seed");
    CodedRun made = new CodedRun(run.get(1), run.get(2), run.get(3), RATE);
    List<StepRecord> records = LogRecord.of(StepRecord.class, made.records).subList(0, STEPS);
    ObjectMapper json = new ObjectMapper();
    List<String> found = new ArrayList<>();
    for (StepRecord record : records) {
      found.add(json.writeValueAsString(step(record, made.hashes.get((int) record.step() - 1))));
    }
    String text = found.stream().collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    String place = System.getProperty("amb.golden.write");
    if (place != null) {
      Files.writeString(Path.of(place, run.get(0)), text);
    }
    try (InputStream golden = getClass().getResourceAsStream("golden/" + run.get(0))) {
      assertNotNull(golden, run.get(0) + ": write it with -Damb.golden.write=DIRECTORY");
      String expected = new String(golden.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      assertEquals(expected, text, run.get(0));
    }
  }

  @Test
  void everyCodecHasAFile() {
    assertEquals(new TreeSet<>(Codecs.ALL.names()), heads(CODECS));
  }

  private static TreeSet<String> heads(List<String> texts) {
    return texts.stream()
        .map(text -> text.split("[ :+]")[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
