package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.conf.inputs.InputType;

/** Configuration of the mean over the positions of a sequence, which is a vector. */
public final class SequenceMean extends SequenceLayer {
  @Override
  public List<Parameter> parameters() {
    return List.of();
  }

  @Override
  public InputType getOutputType(int index, InputType input) {
    return InputType.feedForward(sequence(input).getSize());
  }
}
