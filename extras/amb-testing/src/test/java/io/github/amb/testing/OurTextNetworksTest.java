package io.github.amb.testing;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.network.NetworkSummary;
import java.util.List;
import java.util.Random;

class OurTextNetworksTest extends NetworkContract {
  private static final int EXAMPLES = 8;

  @Override
  protected List<String> networks() {
    return List.of("nano-gpt", "gpt:2,2,16,8,bias,dropout=0.2");
  }

  @Override
  protected DataSet data(NetworkSummary summary, int moreClasses) {
    Random random = new Random(1 + Long.getLong("amb.test.seed", 0));
    int positions = summary.input().width();
    int count = EXAMPLES * positions;
    int[] tokens = random.ints(count, 0, summary.classes()).toArray();
    int[] labels = random.ints(count, 0, summary.classes()).toArray();
    var text = new Text(positions, tokens, labels);
    int classes = summary.classes() + moreClasses;
    return new DataSet("text", summary.input(), classes, text, text);
  }

  private record Text(int positions, int[] tokens, int[] labels) implements Examples {
    @Override
    public int count() {
      return EXAMPLES;
    }

    @Override
    public int label(int example) {
      return labels[example * positions];
    }

    @Override
    public void copyLabels(int example, int[] target) {
      System.arraycopy(labels, example * positions, target, 0, positions);
    }

    @Override
    public void copyFeatures(int example, float[] target) {
      for (int i = 0; i < positions; i++) {
        target[i] = tokens[example * positions + i];
      }
    }
  }
}
