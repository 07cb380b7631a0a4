package io.github.amb.models.onednn.reference;

import java.util.List;

/**
 * Entries in groups: each minus its group's mean, divided by the group's deviation, scaled by γ and
 * shifted by β of its channel. In batch normalization a channel of all examples is a group.
 */
final class GroupedNormalization implements Layer {
  private final int groupsPerExample;
  private final double epsilon;
  private final int scale;
  private final boolean shifted;
  private final Running running;
  private Values normal;
  private Ball[] inverse;
  private int[] counts;

  /**
   * Where the running mean and log₁₀ of the running deviation are in the parameter vector.
   *
   * @param decay share of a running statistic that is kept at an update
   */
  record Running(int mean, int deviation, double decay) {}

  /**
   * @param groupsPerExample 0 to normalize batches
   * @param epsilon added to variances
   * @param scale place of γ in the parameter vector; −1 for none
   * @param shifted whether β follows γ
   * @param running null to normalize groups of an example
   */
  GroupedNormalization(
      int groupsPerExample, double epsilon, int scale, boolean shifted, Running running) {
    this.shifted = shifted;
    this.groupsPerExample = groupsPerExample;
    this.epsilon = epsilon;
    this.scale = scale;
    this.running = running;
  }

  private int groups(Values x) {
    return running != null ? x.channels : x.examples * groupsPerExample;
  }

  private int group(Values x, int i) {
    return running != null ? x.channel(i) : i / (x.perExample() / groupsPerExample);
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    Values x = inputs.get(0);
    boolean given = running != null && !pass.training;
    counts = new int[groups(x)];
    for (int i = 0; i < x.size(); i++) {
      counts[group(x, i)]++;
    }
    Ball[] mean = given ? runningMean(pass) : means(x, x, null);
    Values centered = x.like();
    for (int i = 0; i < x.size(); i++) {
      centered.set(i, x.get(i).minus(mean[group(x, i)]));
    }
    Ball[] variance = given ? runningVariance(pass) : means(x, centered, centered);
    if (running != null && pass.training) {
      addUpdates(pass, mean, variance, x.examples);
    }
    inverse = new Ball[variance.length];
    for (int group = 0; group < inverse.length; group++) {
      inverse[group] = variance[group].plus(Ball.exact((float) epsilon)).inverseRoot();
    }
    normal = x.like();
    Values result = x.like();
    for (int i = 0; i < x.size(); i++) {
      normal.set(i, centered.get(i).times(inverse[group(x, i)]));
      result.set(i, scaled(pass, normal.get(i), x.channel(i), x.channels));
    }
    return result;
  }

  private Ball scaled(Pass pass, Ball normalized, int channel, int channels) {
    if (scale < 0) {
      return normalized;
    }
    Ball scaled = normalized.times(pass.parameters.get(scale + channel));
    return shifted ? scaled.plus(pass.parameters.get(scale + channels + channel)) : scaled;
  }

  /**
   * The mean of each group of values, or of products of values.
   *
   * @param b null for 1
   */
  private Ball[] means(Values x, Values a, Values b) {
    Sums sums = new Sums(groups(x));
    for (int i = 0; i < x.size(); i++) {
      if (b == null) {
        sums.add(group(x, i), a.get(i));
      } else {
        sums.addProduct(group(x, i), a, i, b, i);
      }
    }
    Ball[] means = new Ball[sums.size()];
    for (int group = 0; group < means.length; group++) {
      means[group] = sums.get(group).times(Ball.exact(1.0 / counts[group])).shared(counts[group]);
    }
    return means;
  }

  private Ball[] runningMean(Pass pass) {
    Ball[] mean = new Ball[counts.length];
    for (int channel = 0; channel < mean.length; channel++) {
      mean[channel] = pass.parameters.get(running.mean + channel);
    }
    return mean;
  }

  private static double variance(double log10Deviation) {
    return Math.pow(10, 2 * log10Deviation);
  }

  private Ball[] runningVariance(Pass pass) {
    Ball[] variance = new Ball[counts.length];
    for (int channel = 0; channel < variance.length; channel++) {
      double exact = variance(pass.parameters.value[running.deviation + channel]);
      variance[channel] = new Ball(exact, Ball.UNIT * exact * exact);
    }
    return variance;
  }

  /** What is to be subtracted from the running statistics, times the examples. */
  private void addUpdates(Pass pass, Ball[] mean, Ball[] variance, int examples) {
    double share = 1 - running.decay;
    for (int channel = 0; channel < mean.length; channel++) {
      double weight = examples * share;
      double old = pass.parameters.value[running.mean + channel];
      pass.gradient.add(
          running.mean + channel,
          weight * (old - mean[channel].value()),
          weight * weight * mean[channel].variance());
      double before = variance(pass.parameters.value[running.deviation + channel]);
      double next = running.decay * before + share * variance[channel].value();
      double slope = examples * 0.5 * share / next / Math.log(10);
      pass.gradient.add(
          running.deviation + channel,
          examples * 0.5 * Math.log10(before / next),
          slope * slope * variance[channel].variance());
    }
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    int channels = delta.channels;
    Values inner = delta.like();
    for (int i = 0; i < delta.size(); i++) {
      int channel = delta.channel(i);
      Ball d = delta.get(i);
      if (scale >= 0) {
        pass.gradient.addProduct(scale + channel, delta, i, normal, i);
        if (shifted) {
          pass.gradient.add(scale + channels + channel, d);
        }
      }
      inner.set(i, scale < 0 ? d : d.times(pass.parameters.get(scale + channel)));
    }
    Ball[] mean = means(delta, inner, null);
    Ball[] along = means(delta, inner, normal);
    Values gradient = delta.like();
    for (int i = 0; i < delta.size(); i++) {
      int group = group(delta, i);
      Ball rest = inner.get(i).minus(mean[group]).minus(normal.get(i).times(along[group]));
      gradient.set(i, rest.times(inverse[group]));
    }
    return List.of(gradient);
  }
}
