package io.github.amb.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.OptionValues;
import io.github.amb.core.option.UsageException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulesTest {
  private static final double EXACT = 1e-15;

  @ParameterizedTest
  @CsvSource({
    "const, 0, 0, 0.1",
    "const, 1000000, 99, 0.1",
    // 0.1 − 0.09 step / 200
    "linear, 0, 0, 0.1",
    "linear, 50, 0, 0.0775",
    "linear, 100, 0, 0.055",
    "linear, 200, 0, 0.01",
    "linear, 500, 0, 0.01",
    // 0.1 (1 + cos(pi step / 200)) / 2
    "cosine, 0, 0, 0.1",
    "cosine, 50, 0, 0.08535533905932738",
    "cosine, 100, 0, 0.05",
    "cosine, 200, 0, 0",
    "cosine, 500, 0, 0",
    "cosine:end=0.02, 50, 0, 0.0882842712474619",
    "cosine:end=0.02, 200, 0, 0.02",
    "exponential, 0, 0, 0.1",
    "exponential, 49, 0, 0.1",
    "exponential, 50, 0, 0.09",
    "exponential, 99, 0, 0.09",
    "exponential, 100, 0, 0.081",
    "epochs, 7, 0, 0.1",
    "epochs, 7, 9.999, 0.1",
    "epochs, 7, 10, 0.05",
    "epochs, 7, 19.999, 0.05",
    "epochs, 7, 20, 0.025",
    "epochs, 7, 35, 0.0125",
    // 0.1 / (1 + √(step + 1))
    "inverse-sqrt, 0, 0, 0.05",
    "inverse-sqrt, 3, 9, 0.03333333333333333",
    "inverse-sqrt, 99, 0, 0.00909090909090909"
  })
  void defaultsGiveTheNumbersComputedByHand(
      String name, long step, double epochs, double expected) {
    Schedule schedule = Schedules.create(name, defaults(0.1, 200));
    assertEquals(expected, schedule.learningRate(step, epochs), EXACT);
  }

  /**
   * PyTorch's recursion of CosineAnnealingLR, from step to step, after LinearLR's, in a
   * SequentialLR.
   */
  @Test
  void cosineAfterAWarmUpIsPyTorchs() {
    ScheduleOptions settings = withWarmUp(0.4, 110, 10, 0.1);
    Schedule schedule = Schedules.create("cosine:end=0.01", settings);
    double rate = 0.4 * 0.1;
    for (int step = 0; step < 10; step++) {
      assertEquals(rate, schedule.learningRate(step, 0), EXACT);
      rate *= 1 + (1 - 0.1) / (10 * 0.1 + step * (1 - 0.1));
    }
    rate = 0.4;
    for (int step = 0; step < 100; step++) {
      assertEquals(rate, schedule.learningRate(10 + step, 0), 100 * EXACT);
      double next = 1 + Math.cos(Math.PI * (step + 1) / 100);
      rate = next / (1 + Math.cos(Math.PI * step / 100)) * (rate - 0.01) + 0.01;
    }
  }

  /** Its function get_lr, with the settings of characters. */
  @Test
  void warmUpAndCosineWithAFloorAreNanoGpts() {
    ScheduleOptions settings = withWarmUp(1e-3, 2000, 100, 1 / 101.0);
    Schedule schedule = Schedules.create("cosine:end=1e-4", settings);
    for (int step = 0; step < 2000; step++) {
      double cosine = (1 + Math.cos(Math.PI * (step - 100) / 1900.0)) / 2;
      double expected = step < 100 ? 1e-3 * (step + 1) / 101 : 1e-4 + cosine * (1e-3 - 1e-4);
      assertEquals(expected, schedule.learningRate(step, 0), EXACT);
    }
  }

  @Test
  void aRangeGrowsByTheSameFactorEachStep() {
    ScheduleOptions settings = new ScheduleOptions(10, 7, OptionValues.NONE);
    Schedule schedule = Schedules.create("range:from=1e-6", settings);
    double rate = 1e-6;
    for (int step = 0; step <= 7; step++) {
      assertEquals(1, schedule.learningRate(step, 0) / rate, 100 * EXACT);
      rate *= 10;
    }
  }

  @Test
  void plateausReduceTheRateAfterTheWarmUp() {
    ScheduleOptions settings = withWarmUp(0.4, 0, 10, 0.5);
    Schedule schedule = Schedules.create("plateau:factor=0.5,patience=3", settings);
    assertEquals(3, schedule.patience());
    assertEquals(0.1, schedule.learningRate(0, 0, 1), EXACT);
    double[] rates = {0.4, 0.2, 0.1, 0.05, 0.025};
    for (int plateaus = 0; plateaus < rates.length; plateaus++) {
      assertEquals(rates[plateaus], schedule.learningRate(10, 0, plateaus), EXACT);
    }
    assertEquals(0.4, schedule.learningRate(10, 0), EXACT);
    assertEquals(0, Schedules.create("const", settings).patience());
  }

  @Test
  void aWarmUpEndsBeforeTheLastStep() {
    assertThrows(
        UsageException.class, () -> Schedules.create("const", withWarmUp(0.1, 10, 10, 0.1)));
    ScheduleOptions settings = withWarmUp(0.1, 10, 9, 0.5);
    assertEquals(0.05, Schedules.create("linear", settings).learningRate(0, 0));
  }

  @Test
  void optionsOfAnotherScheduleAreRejected() {
    OptionValues given =
        OptionValues.NONE
            .with(Schedules.EPOCHS_EVERY, List.of(3.0))
            .with(Schedules.SQRT_K, 2.0)
            .with(Schedules.EXP_RATE, Schedules.EXP_RATE.fallback());
    Schedules.create(
        "inverse-sqrt",
        new ScheduleOptions(1, 9, given.with(Schedules.EPOCHS_EVERY, List.of(10.0))));
    var error =
        assertThrows(
            UsageException.class,
            () -> Schedules.create("cosine", new ScheduleOptions(1, 9, given)));
    assertEquals(
        List.of(
            "--lrate-epochs-every, which belongs to epochs",
            "--lrate-sqrt-k, which belongs to inverse-sqrt"),
        error.getMessage().lines().map(line -> line.replaceAll(".*(--.*);.*", "$1")).toList());
  }

  @Test
  void exponentialDecayWithoutStaircaseIsSmooth() {
    OptionValues given =
        OptionValues.NONE.with(Schedules.EXP_RATE, 0.81).with(Schedules.EXP_STAIRCASE, 0);
    Schedule schedule = Schedules.create("exponential", new ScheduleOptions(0.1, 0, given));
    assertEquals(0.09, schedule.learningRate(25, 0), EXACT);
    assertEquals(0.1 * 0.81, schedule.learningRate(50, 0), EXACT);
  }

  /** β(t) = K + √(t / μ). */
  @Test
  void inverseRootTakesKAndExamplesPerStep() {
    OptionValues given =
        OptionValues.NONE.with(Schedules.SQRT_K, 2.0).with(Schedules.SQRT_MU, 25.0);
    Schedule schedule = Schedules.create("inverse-sqrt", new ScheduleOptions(3, 0, given));
    assertEquals(3 / (2 + 4.0), schedule.learningRate(399, 0), EXACT);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "4.9, 1", "5, 0.1", "29, 0.1", "30, 0.01", "31, 0.001", "1000, 0.001"})
  void severalEpochsReduceOnceEachAsTheyAreReached(double epochs, double expected) {
    OptionValues given =
        OptionValues.NONE
            .with(Schedules.EPOCHS_EVERY, List.of(5.0, 30.0, 31.0))
            .with(Schedules.EPOCHS_FRACTION, 0.1);
    Schedule schedule = Schedules.create("epochs", new ScheduleOptions(1, 0, given));
    assertEquals(expected, schedule.learningRate(0, epochs), EXACT);
  }

  /** But for the one that searches for a rate. */
  @Property
  void noScheduleEverRisesWithItsDefaults(
      @ForAll @LongRange(max = 10_000) long step, @ForAll @LongRange(max = 1000) long further) {
    for (Schedules.Entry entry : Schedules.ALL.all()) {
      Schedule schedule = Schedules.create(entry.name(), defaults(0.1, 5000));
      double now = schedule.learningRate(step, step / 10.0);
      double later = schedule.learningRate(step + further, (step + further) / 10.0);
      assertEquals(
          entry.name().equals("range") && further > 0 && step < 5000,
          later > now + (entry.name().equals("range") ? 0 : EXACT),
          entry.name());
    }
  }

  @Test
  void linearWithoutALastStepIsRejected() {
    ScheduleOptions settings = defaults(0.1, 0);
    var error = assertThrows(UsageException.class, () -> Schedules.create("linear", settings));
    assertEquals(
        "linear schedule: expected a last step, found none; set --last-step", error.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "lrate-linear-end, NaN",
    "lrate-linear-end, 0",
    "lrate-exp-decay-steps, 0",
    "lrate-exp-rate, -0.5",
    "lrate-exp-rate, 0",
    "lrate-exp-rate, NaN",
    "lrate-epochs-every, 10;0",
    "lrate-epochs-every, ''",
    "lrate-epochs-frac, inf",
    "lrate-epochs-frac, 0",
    "lrate-sqrt-k, -1",
    "lrate-sqrt-mu, 0",
    "lrate-warmup-steps, -1",
    "lrate-warmup-factor, 2"
  })
  void whatIsOutOfRangeIsNotAccepted(String option, String text) {
    var found =
        Schedules.options().stream().filter(o -> o.name().equals(option)).findFirst().orElseThrow();
    assertNotNull(found.parse("", found.usual(), new ArrayList<>()));
    assertNull(found.parse("", text.replace(';', ','), new ArrayList<>()));
  }

  @Test
  void anUnknownNameIsAnsweredWithTheNearestOne() {
    var error = assertThrows(UsageException.class, () -> Schedules.ALL.named("exp"));
    assertEquals(
        "unknown learning-rate schedule 'exp', did you mean 'exponential'?", error.getMessage());
    assertEquals(
        List.of(
            "const",
            "linear",
            "cosine",
            "exponential",
            "epochs",
            "inverse-sqrt",
            "range",
            "plateau"),
        Schedules.ALL.names());
  }

  /**
   * Linear end 0.01; decay by 0.9 every 50 steps, in jumps; half every 10 epochs; 1 for K and μ; no
   * warm-up.
   */
  private static ScheduleOptions defaults(double learningRate, long lastStep) {
    return withWarmUp(learningRate, lastStep, 0, 0.01);
  }

  private static ScheduleOptions withWarmUp(
      double learningRate, long lastStep, long steps, double factor) {
    return new ScheduleOptions(
        learningRate,
        lastStep,
        OptionValues.NONE
            .with(Schedules.WARM_UP_STEPS, steps)
            .with(Schedules.WARM_UP_FACTOR, factor));
  }
}
