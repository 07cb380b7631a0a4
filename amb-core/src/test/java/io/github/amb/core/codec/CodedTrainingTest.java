package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.MalformedFrameException;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.MasterContext;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.StopRule;
import io.github.amb.core.scheme.WorkerContext;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes train through codecs without knowing of them. */
class CodedTrainingTest {
  private static final int WORKERS = 3;
  private static final int CLASSES = 6;
  private static final int FEATURES = 40;
  private static final int STEPS = 60;

  /** What came of a run. */
  private static final class Run {
    final List<LogRecord> records = new ArrayList<>();
    float[] parameters;

    Run(String scheme, String uplink, String downlink, double rate) {
      SchemeOptions options = new SchemeOptions(8, WORKERS);
      if (scheme.equals("k-sync")) {
        for (var option : Schemes.named(scheme).options()) {
          options = options.withText(option, "2");
        }
      }
      Scheme made = Schemes.named(scheme).create(options);
      Codings codings = new Codings(Codecs.parse(uplink), Codecs.parse(downlink));
      new VirtualCluster(CostModel.perExample(0.001), 1, 1, 0.7, 0.4)
          .run((link, clock) -> rank(made, codings, link, clock, rate));
    }

    private static GradientSource model() {
      return SoftmaxRegression.blobs(CLASSES, FEATURES, 240, 60, 7);
    }

    private static MasterUpdate update(GradientSource model) {
      var rule = UpdateRules.named("sgd").create(model.layout().size());
      return new MasterUpdate(model.layout(), rule, WeightDecay.NONE);
    }

    private void rank(Scheme scheme, Codings codings, Communicator link, Clock clock, double rate) {
      GradientSource model = model();
      if (link.rank() == Communicator.MASTER) {
        MasterContext master = master(model, clock, rate);
        scheme.runMaster(
            master, codings.master(link, clock, master.update(), master.streams(), master.state()));
        parameters = master.parameters();
      } else {
        WorkerContext worker = worker(model, link.rank(), clock);
        scheme.runWorker(
            worker,
            codings.worker(link, clock, model.layout(), worker.streams(), new StateRegistry()));
      }
    }

    private MasterContext master(GradientSource model, Clock clock, double rate) {
      float[] parameters = new float[model.layout().size()];
      model.initialise(1, parameters);
      return new MasterContext(
          clock,
          parameters,
          update(model),
          (step, epochs) -> rate,
          StopRule.after(STEPS),
          model.trainingExamples(),
          Sample.STREAMS,
          new BlockingEvaluator(
              model,
              clock,
              Sample.STREAMS,
              Integer.MAX_VALUE,
              -1,
              (record, tested) -> records.add(record)),
          records::add);
    }

    private static WorkerContext worker(GradientSource model, int rank, Clock clock) {
      return new WorkerContext(
          rank,
          clock,
          model,
          new ExampleOrder(Sample.STREAMS, model.trainingExamples(), rank - 1, WORKERS),
          DelayModel.NONE,
          Sample.STREAMS,
          update(model),
          record -> {});
    }

    private <T> T last(Class<T> type) {
      return records.stream()
          .filter(type::isInstance)
          .map(type::cast)
          .reduce((first, second) -> second)
          .orElseThrow();
    }

    double accuracy() {
      return last(EvaluationRecord.class).accuracy();
    }

    long bytesReceived() {
      return last(StepRecord.class).bytesReceived();
    }

    long bytesSent() {
      return last(StepRecord.class).bytesSent();
    }
  }

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
  void everySchemeLearnsAndSendsLess(String uplink, String downlink) {
    for (String scheme : List.of("fmb", "k-sync", "async", "local-sgd", "fmb-dg", "coded")) {
      if (uplink.startsWith("atomo") && scheme.equals("coded")) {
        continue; // The combination of coded gradients amplifies noise.
      }
      Run plain = new Run(scheme, "none", "none", 0.05);
      Run coded = new Run(scheme, uplink, downlink, 0.05);
      assertTrue(
          coded.accuracy() >= 0.9 * plain.accuracy(),
          () -> scheme + ": " + coded.accuracy() + " against " + plain.accuracy());
      assertTrue(coded.bytesReceived() < plain.bytesReceived(), scheme);
      assertTrue(downlink.equals("none") || coded.bytesSent() < plain.bytesSent(), scheme);
    }
  }

  @Test
  void lossNothingCodecsChangeNoBit() {
    for (String scheme : List.of("fmb", "k-sync")) {
      assertArrayEquals(
          new Run(scheme, "none", "none", 0.05).parameters,
          new Run(scheme, "none+zstd", "none", 0.05).parameters,
          scheme);
    }
  }

  @Test
  void theMajorityDecides() {
    Run run = new Run("fmb", "signsgd", "none", 0.02);
    assertTrue(run.accuracy() > 0.8, () -> "accuracy " + run.accuracy());
    float[] start = new float[run.parameters.length];
    Run.model().initialise(1, start);
    for (int i = 0; i < start.length; i++) {
      double steps = (run.parameters[i] - start[i]) / 0.02;
      assertEquals(Math.rint(steps), steps, 0.01, "parameters move by whole learning rates");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "async"})
  void runsRepeatBitForBit(String scheme) {
    assertArrayEquals(
        new Run(scheme, "qsgd:4+min=1", "int8+min=1", 0.05).parameters,
        new Run(scheme, "qsgd:4+min=1", "int8+min=1", 0.05).parameters);
  }

  @Test
  void aMalformedMessageNamesItsSender() {
    Codings codings = new Codings(Codecs.parse("fp16"), Coding.NONE);
    GradientSource model = Run.model();
    MasterUpdate update = Run.update(model);
    MalformedFrameException refused =
        assertThrows(
            MalformedFrameException.class,
            () ->
                new VirtualCluster(3, CostModel.perExample(1))
                    .run(
                        (link, clock) -> {
                          Frame frame = new Frame().reset(Frame.Kind.GRADIENT, 4);
                          if (link.rank() == 2) {
                            frame.ensureCapacity(100);
                            link.send(Communicator.MASTER, frame, Clock.NEVER);
                          } else if (link.rank() == Communicator.MASTER) {
                            codings
                                .master(link, clock, update, Sample.STREAMS, new StateRegistry())
                                .receive(Communicator.ANY, frame, Clock.NEVER);
                          }
                        }));
    assertEquals(2, refused.source());
    assertTrue(refused.reason().startsWith("GRADIENT of step 4: "), refused::getMessage);
  }
}
