package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.models.data.example.ImageShape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trainable parameters next to figures published by others. */
class ParameterCountsTest {
  private static final ImageShape IMAGENET = new ImageShape(3, 224, 224);
  private static final ImageShape CIFAR = new ImageShape(3, 32, 32);

  private static long count(String network, ImageShape input, int classes, Norm norm) {
    NetworkDefinition definition = Networks.definition(network);
    var needs = new Requirements(input, classes, norm);
    return NetworkSummary.of(network, definition.architecture(needs), classes).parameters();
  }

  /**
   * For 1,000 classes of ImageNet. AlexNet, ResNets and Inception as torchvision counts them; in
   * Gluon's resnet50-v1 two convolutions of each of the 16 blocks have biases besides, 64 to 2048
   * of them: 3 (64 + 256) + 4 (128 + 512) + 6 (256 + 1024) + 3 (512 + 2048) = 18,880. resnet50-v2
   * and the MobileNets as Gluon's own sizes say.
   */
  @ParameterizedTest
  @CsvSource({
    "resnet18-v1, 11689512",
    "resnet50-v1, 25575912",
    "resnet50-v2, 25549480",
    "alexnet, 61100840",
    "mobilenet-v1, 4231976",
    "mobilenet-v2, 3504960"
  })
  void countsForImageNet(String network, long expected) {
    Norm norm = Networks.definition(network).stated().norm();
    assertEquals(expected, count(network, IMAGENET, 1000, norm));
  }

  /** As torchvision counts it without the auxiliary classifier. */
  @ParameterizedTest
  @CsvSource({"inception-v3, 23834568"})
  void countsForLargerImages(String network, long expected) {
    assertEquals(expected, count(network, new ImageShape(3, 299, 299), 1000, Norm.BATCH));
  }

  /**
   * The wide residual networks and those of 18, 50 and 152 layers as widely trained on CIFAR-10; of
   * 32 and 110 layers 0.46 and 1.7 million in the paper.
   */
  @ParameterizedTest
  @CsvSource({
    "resnet18, 11173962",
    "resnet32, 464154",
    "resnet50, 23520842",
    "resnet110, 1727962",
    "resnet152, 58156618",
    "vgg11, 9756426",
    "vgg13, 9941322",
    "vgg16, 15253578",
    "vgg19, 20565834",
    "wrn-28-2, 1467610"
  })
  void countsForCifar10(String network, long expected) {
    assertEquals(expected, count(network, CIFAR, 10, Norm.BATCH));
  }

  /** ESync's form: one channel, 10 classes. */
  @ParameterizedTest
  @CsvSource({
    "resnet18-v1, 11175370",
    "alexnet, 57029322",
    "inception-v3, 21805482",
    "wrn-28-2, 1595320"
  })
  void countsAsListed(String network, long expected) {
    assertEquals(expected, Networks.summary(network).parameters());
  }

  @ParameterizedTest
  @CsvSource({"mnist-cnn, 3274634, 64", "cifar10-cnn, 4607178, 0", "resnet18, 11173962, 0"})
  void groupNormalizationHasAsManyParameters(String network, long expected, int channels) {
    ImageShape input = Networks.definition(network).stated().input();
    long batch = count(network, input, 10, Norm.BATCH);
    assertEquals(batch, count(network, input, 10, Norm.GROUP));
    if (channels == 0) {
      assertEquals(expected, batch);
    } else {
      assertEquals(expected + 2 * (32 + 64 + 1024), batch);
    }
  }
}
