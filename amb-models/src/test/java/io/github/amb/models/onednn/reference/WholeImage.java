package io.github.amb.models.onednn.reference;

import java.util.List;
import org.deeplearning4j.nn.conf.ConvolutionMode;

/** Pooling over whole images, of whatever size they are. */
final class WholeImage implements Layer {
  private final boolean maximum;
  private Layer pooling;

  WholeImage(boolean maximum) {
    this.maximum = maximum;
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    Values x = inputs.get(0);
    int[] all = {x.height, x.width};
    var window = new Window(all, new int[] {1, 1}, new int[2], ConvolutionMode.Truncate);
    pooling = maximum ? new Maximum(window) : new Mean(window, false);
    return pooling.forward(pass, inputs);
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    return pooling.backward(pass, delta);
  }
}
