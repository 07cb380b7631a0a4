package io.github.amb.models.data;

import io.github.amb.models.data.example.Examples;

/**
 * Windows of a text: the features of an example are tokens, and its labels are the tokens after
 * each of them.
 *
 * @param tokens of the whole text
 * @param first place of the first token of the first window
 * @param stride tokens from the start of a window to that of the next one
 * @param count number of windows
 * @param context tokens of a window
 */
record TextExamples(TokenArray tokens, int first, int stride, int count, int context)
    implements Examples {
  /**
   * The windows of a part of a text.
   *
   * @param from first token of the part
   * @param to after its last token
   */
  static TextExamples of(TokenArray tokens, int from, int to, int stride, int context) {
    int count = to - from <= context ? 0 : (to - from - context - 1) / stride + 1;
    return new TextExamples(tokens, from, stride, count, context);
  }

  private int start(int example) {
    return first + example * stride;
  }

  @Override
  public int label(int example) {
    return tokens.get(start(example) + 1);
  }

  @Override
  public int positions() {
    return context;
  }

  @Override
  public void copyLabels(int example, int[] target) {
    for (int i = 0; i < context; i++) {
      target[i] = tokens.get(start(example) + 1 + i);
    }
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    for (int i = 0; i < context; i++) {
      target[i] = tokens.get(start(example) + i);
    }
  }
}
