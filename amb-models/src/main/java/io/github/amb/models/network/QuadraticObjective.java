package io.github.amb.models.network;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.gradient.SizedSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.Quadratic;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleForm;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Noisy gradients of a {@link Quadratic}, in double precision. A partition's noise is drawn once,
 * with the variance of its number of draws. The loss is f − f*, exact in tests.
 */
final class QuadraticObjective extends SizedSource {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of(
          Description.of("quadratic", "the parameters are the argument of a quadratic function")
              .use("Data set quadratic, whose default network it is.")
              .source("Maranjyan et al., ICML 2025"),
          "",
          none -> new OfQuadratic());

  private final Quadratic function;
  private final double[] x;
  private final double[] gradient;
  private final double[] sum;
  private final double[] offset;
  private double excess;
  private long drawSeed;
  private int partitions;

  private QuadraticObjective(Quadratic function, int testExamples) {
    super(OfQuadratic.of(function.setting().dimension()), function.count(), testExamples);
    this.function = function;
    int d = function.setting().dimension();
    x = new double[d];
    gradient = new double[d];
    sum = new double[d];
    offset = new double[d];
  }

  private record OfQuadratic() implements Objective {
    static Layout of(int dimension) {
      return new Layout(List.of(new Block("x", Block.Kind.WEIGHT, 0, dimension)));
    }

    @Override
    public Layout layout(ExampleForm form) {
      return of(form.shape().size());
    }

    @Override
    public GradientSource open(DataSet data) {
      if (data.train() instanceof Quadratic function) {
        return new QuadraticObjective(function, data.test().count());
      }
      throw new UsageException(
          "network quadratic: expected data set quadratic without changes of its examples, found"
              + " %s; choose another --network",
          data.name());
    }
  }

  @Override
  public void initialize(long seed, float[] parameters) {
    Arrays.fill(parameters, 0, x.length, 0);
    parameters[0] = (float) Math.sqrt(x.length);
  }

  @Override
  public void begin(FloatBuffer parameters, long drawSeed) {
    Arrays.setAll(x, i -> parameters.get(i));
    function.gradient(x, gradient);
    excess = function.excess(x);
    Arrays.fill(sum, 0);
    this.drawSeed = drawSeed;
    partitions = 0;
  }

  @Override
  public double accumulate(int[] examples, int from, int to) {
    int count = to - from;
    for (int i = 0; i < x.length; i++) {
      sum[i] += count * gradient[i];
    }
    double loss = count * excess;
    if (function.setting().parts() > 1) {
      for (int i = from; i < to; ) {
        int part = function.label(examples[i]);
        int run = 0;
        while (i < to && function.label(examples[i]) == part) {
          run++;
          i++;
        }
        loss -= run * subtractOffset(part, run);
      }
    }
    addNoise(count);
    partitions++;
    return loss;
  }

  /** Returns what the part's function at x is less than f. */
  private double subtractOffset(int part, int times) {
    function.offset(part, offset);
    double product = 0;
    for (int i = 0; i < x.length; i++) {
      sum[i] -= times * offset[i];
      product += offset[i] * x[i];
    }
    return product;
  }

  private void addNoise(int count) {
    double deviation = function.setting().noise() * Math.sqrt(count);
    if (deviation > 0) {
      var random = new Streams(drawSeed).stream("quadratic noise", 0, partitions);
      var normal = ZigguratSampler.NormalizedGaussian.of(random);
      double same = deviation * normal.sample();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += function.setting().scalar() ? same : deviation * normal.sample();
      }
    }
  }

  @Override
  public void finish(FloatBuffer target) {
    for (int i = 0; i < sum.length; i++) {
      target.put(i, (float) sum[i]);
    }
  }

  @Override
  public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    return new Evaluation(function.excess(doubles(parameters)), Double.NaN, to - from);
  }

  @Override
  public Map<String, Double> metrics(float[] parameters, Evaluation scores) {
    double[] exact = new double[x.length];
    function.gradient(doubles(parameters), exact);
    return Map.of("squared_gradient_norm", Arrays.stream(exact).map(g -> g * g).sum());
  }

  private double[] doubles(float[] parameters) {
    double[] exact = new double[x.length];
    Arrays.setAll(exact, i -> parameters[i]);
    return exact;
  }
}
