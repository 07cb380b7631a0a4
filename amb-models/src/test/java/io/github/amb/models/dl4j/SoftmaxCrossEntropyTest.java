package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SoftmaxCrossEntropyTest {
  @Test
  void twoClassesByHand() {
    // softmax(ln 3, 0) = (3/4, 1/4).
    float[] logits = {(float) Math.log(3), 0f};
    double loss = SoftmaxCrossEntropy.lossAndGradient(logits, new float[] {0, 1}, 1, 2);
    assertEquals(Math.log(4), loss, 1e-6);
    assertArrayEquals(new float[] {0.75f, -0.75f}, logits, 1e-6f);
  }

  @Test
  void softLabelsByHand() {
    float[] logits = {0f, 0f};
    double loss = SoftmaxCrossEntropy.lossAndGradient(logits, new float[] {0.25f, 0.75f}, 1, 2);
    assertEquals(Math.log(2), loss, 1e-6);
    assertArrayEquals(new float[] {0.25f, -0.25f}, logits, 1e-6f);
  }

  @Test
  void extremeLogitsStayFinite() {
    float[] logits = {1000f, -1000f, -1000f, 1000f};
    double loss = SoftmaxCrossEntropy.lossAndGradient(logits, new float[] {0, 1, 0, 1}, 2, 2);
    assertEquals(2000, loss, 1e-3);
    assertArrayEquals(new float[] {1f, -1f, 0f, 0f}, logits, 1e-6f);
  }
}
