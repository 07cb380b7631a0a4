package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes train through codecs without knowing of them. */
class CodedTrainingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "topk:0.1+ef+min=1; none",
        "qsgd:4,bucket=64+min=1; none",
        "adacomp:0.2; none",
        "atomo-svd:2+min=1; fp16+min=1",
        "fp16+min=1; topk:0.2+min=1",
      })
  void everySchemeLearnsThroughACodec(String uplink, String downlink) {
    for (String scheme : List.of("fmb", "k-sync num-aggregate=2", "async", "local-sgd", "fmb-dg")) {
      CodedRun plain = new CodedRun(scheme, "none", "none", 0.05);
      CodedRun coded = new CodedRun(scheme, uplink, downlink, 0.05);
      coded.assertLearnt(scheme);
      assertTrue(coded.bytesReceived() < plain.bytesReceived(), scheme);
      assertTrue(downlink.equals("none") || coded.bytesSent() < plain.bytesSent(), scheme);
    }
  }

  @Test
  void lossNothingCodecsChangeNoBit() {
    for (String scheme : List.of("fmb", "k-sync num-aggregate=2")) {
      assertArrayEquals(
          new CodedRun(scheme, "none", "none", 0.05).parameters,
          new CodedRun(scheme, "none+zstd", "none", 0.05).parameters,
          scheme);
    }
  }

  /** Of every codec, with what it needs: the steps of a warm-up are those without a codec. */
  @ParameterizedTest
  @MethodSource("names")
  void warmUpsChangeNoBit(String name) {
    String coding = name + "+min=1" + (name.equals("qsgd") ? "+ef21" : "") + "+after=8";
    List<String> plain = new CodedRun("fmb", "none", "none", 0.05).hashes;
    List<String> coded = new CodedRun("fmb", coding, "none", 0.05).hashes;
    assertEquals(plain.subList(0, 8), coded.subList(0, 8));
    boolean alike = name.matches("none|lss"); // So short a block is longer as a sketch.
    assertTrue(alike || !plain.equals(coded), name);
    List<String> down = new CodedRun("fmb", "none", "int8+min=1+after=8", 0.05).hashes;
    assertEquals(plain.subList(0, 8), down.subList(0, 8));
  }

  static List<String> names() {
    return Codecs.ALL.names();
  }

  @Test
  void theMajorityDecides() {
    CodedRun run = new CodedRun("fmb", "signsgd", "none", 0.02);
    run.assertLearnt("fmb");
    float[] start = new float[run.parameters.length];
    CodedRun.model().initialize(CodedRun.SEED, start);
    for (int i = 0; i < start.length; i++) {
      double steps = (run.parameters[i] - start[i]) / 0.02;
      // Each step is a float's product and sum, of parameters that move by 0.02 a step.
      double most = Math.abs(start[i]) + CodedRun.STEPS * 0.02;
      double rounding = 2 * CodedRun.STEPS * 0x1p-24 * most / 0.02;
      assertEquals(Math.rint(steps), steps, rounding, "parameters move by whole learning rates");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "async"})
  void runsRepeatBitForBit(String scheme) {
    assertArrayEquals(
        new CodedRun(scheme, "qsgd:4+min=1", "int8+min=1", 0.05).parameters,
        new CodedRun(scheme, "qsgd:4+min=1", "int8+min=1", 0.05).parameters);
  }

  @Test
  void aMalformedMessageNamesItsSender() {
    Codings codings = new Codings(Codecs.parse("fp16"), Coding.NONE);
    GradientSource model = CodedRun.model();
    MasterUpdate update = CodedRun.update(model, null);
    MalformedMessageException rejected =
        assertThrows(
            MalformedMessageException.class,
            () ->
                new VirtualCluster(3, CostModel.perExample(1))
                    .run(
                        (link, clock) -> {
                          Message message = new Message().reset(Message.Kind.GRADIENT, 4);
                          if (link.rank() == 2) {
                            message.ensureCapacity(100);
                            link.send(Communicator.MASTER, message, Clock.NEVER);
                          } else if (link.rank() == Communicator.MASTER) {
                            codings
                                .master(
                                    link, clock, update, CodecSamples.STREAMS, new StateRegistry())
                                .receive(Communicator.ANY, message, Clock.NEVER);
                          }
                        }));
    assertEquals(2, rejected.source());
    assertTrue(rejected.reason().startsWith("GRADIENT of step 4: "), rejected::getMessage);
  }
}
