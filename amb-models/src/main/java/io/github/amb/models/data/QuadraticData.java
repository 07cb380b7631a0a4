package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import java.nio.file.Path;

/** Draws of the gradient of a tridiagonal quadratic, in place of examples. */
record QuadraticData(Description description, Quadratic.Setting setting)
    implements DataSetDefinition {
  /** About as many draws as an epoch has. */
  private static final int TRAIN = 1_000_000;

  /** Tests are exact, of whatever draws; as many as no remark says are few. */
  private static final int TEST_PER_PART = 20;

  private static final int MAX = 1 << 24;

  static final QuadraticData USUAL =
      new QuadraticData(
          Description.of("quadratic", "f(x) = x'Ax/2 - b'x, A tridiagonal, with noisy gradients")
              .use("Comparing schemes where optimum and gradient are known exactly.")
              .formula(
                  "A = L/4 tridiag(-1, 2, -1); b = L/4 (-1, 0, ...); x0 = (sqrt d, 0, ...); gradients"
                      + " have noise from N(0, noise^2), scalar: one number for all coordinates")
              .source("Tyurin and Richtarik, NeurIPS 2023; Maranjyan et al., ICML 2025"),
          new Quadratic.Setting(1729, 1, 0.01, false, 1, 1));

  @Override
  public String arguments() {
    return "[:d=1729][,L=1][,noise=0.01][,scalar][,parts=1][,spread=1]";
  }

  @Override
  public DataSetDefinition chosen(String text, EntryArguments given) {
    return new QuadraticData(
        description.named(text),
        new Quadratic.Setting(
            given.count("d", setting.dimension(), 1, MAX),
            given.named(
                "L", setting.smoothness(), x -> x > 0 && x < Float.MAX_VALUE, "a number above 0"),
            given.factor("noise", setting.noise()),
            given.flag("scalar"),
            given.count("parts", setting.parts(), 1, 1 << 16),
            given.factor("spread", setting.spread())));
  }

  @Override
  public String network() {
    return USUAL.name();
  }

  /** The same number in each part, so that workers with contiguous shards have a part each. */
  @Override
  public int trainingExamples() {
    return (TRAIN + setting.parts() - 1) / setting.parts() * setting.parts();
  }

  @Override
  public int testExamples() {
    return TEST_PER_PART * setting.parts();
  }

  @Override
  public DataSet load(Path directory, long seed) {
    Quadratic train = Quadratic.of(setting, trainingExamples(), seed);
    return new DataSet(
        name(),
        new ImageShape(1, 1, setting.dimension()),
        setting.parts(),
        train,
        train.withCount(testExamples()));
  }
}
