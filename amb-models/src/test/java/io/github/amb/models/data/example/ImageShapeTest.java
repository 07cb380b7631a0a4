package io.github.amb.models.data.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageShapeTest {
  @Test
  void whatIsWrittenIsReadAgain() {
    ImageShape shape = new ImageShape(3, 32, 24);
    assertEquals(shape, ImageShape.parse(shape.toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3x32", "3x32x-1", "3 x 32 x 32"})
  void anythingElseIsRejected(String text) {
    assertThrows(IllegalArgumentException.class, () -> ImageShape.parse(text));
  }
}
