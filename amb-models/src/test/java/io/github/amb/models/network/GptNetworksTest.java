package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.dl4j.SavedArchitecture;
import io.github.amb.models.onednn.OneDnnGradientSource;
import io.github.amb.models.onednn.SampleSequences;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GptNetworksTest {
  /** Standard errors of an estimate; one is beyond them by chance in 1 of 5e8. */
  private static final double DEVIATIONS = 6;

  private static DataSet text(int window) {
    return SampleSequences.data(8, window, 65, ModelSeeds.of(1));
  }

  /** nanoGPT reports 0.80 million without the 64 x 128 of the positions. */
  @Test
  void nanoGptHasAsManyParametersAsNanoGpts() {
    assertEquals(795_904 + 64 * 128, Networks.summary("nano-gpt").parameters());
    assertEquals(Networks.summary("gpt").parameters(), Networks.summary("nano-gpt").parameters());
  }

  /** GPT-2's sizes: 124,439,808 parameters. */
  @Test
  void gpt2HasAsManyParametersAsPublished() {
    var needs = new Requirements(new ImageShape(1, 1, 8), 50257, Norm.NONE);
    Architecture network = Networks.definition("gpt:12,12,768,1024,bias").architecture(needs);
    assertEquals(124_439_808, NetworkSummary.of("gpt2", network, 50257).parameters());
  }

  /** ViT-B/16 has 86,567,656, with a token of the class and its position. */
  @Test
  void vitHasAsManyParametersAsPublished() {
    var needs = new Requirements(new ImageShape(3, 224, 224), 1000, Norm.NONE);
    Architecture network = Networks.definition("vit:12,12,768,16").architecture(needs);
    assertEquals(86_567_656 - 2 * 768, NetworkSummary.of("vit", network, 1000).parameters());
  }

  @Test
  void patchesMustCoverAnImage() {
    DataSet digits = DataSets.load("digits", null, 1);
    Networks.open("vit:1,2,8,7", digits).close();
    assertThrows(UsageException.class, () -> Networks.open("vit:1,2,8,5", digits).close());
    assertThrows(UsageException.class, () -> Networks.named("vit:1,2,8"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 16})
  void aWindowMayBeShorterThanTheContext(int window) {
    try (GradientSource source = Networks.open("gpt:1,2,8,16", text(window))) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(1, parameters);
      float[] gradient = gradient(source, parameters);
      Block places = block(source.layout(), "embedding.P");
      for (int i = places.offset(); i < places.end(); i++) {
        boolean used = i - places.offset() < window * 8;
        assertEquals(used, gradient[i] != 0, "position " + (i - places.offset()) / 8);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpt:4",
        "gpt:1,3,8,16",
        "gpt:1,2,8,16,7",
        "gpt:1,2,8,16,dropout=1",
        "gpt:2000,1,8,8"
      })
  void sizesThatDoNotFitAreRejected(String network) {
    assertThrows(UsageException.class, () -> Networks.named(network));
  }

  @Test
  void longerWindowsAndImagesAreRejected() {
    DataSet tooLong = text(17);
    assertThrows(UsageException.class, () -> Networks.open("gpt:1,2,8,16", tooLong).close());
    DataSet digits = DataSets.load("digits", null, 1);
    assertThrows(UsageException.class, () -> Networks.open("nano-gpt", digits).close());
  }

  @Test
  void aTokenBeyondTheVocabularyIsRejected() {
    DataSet text = SampleSequences.data(8, 4, 65, 1);
    var few = new DataSet("text", text.shape(), 9, text.train(), text.test());
    try (GradientSource source = Networks.open("gpt:1,2,8,16", few)) {
      float[] parameters = new float[source.layout().size()];
      assertThrows(IllegalArgumentException.class, () -> gradient(source, parameters));
    }
  }

  @Test
  void dl4jRejectsIt() {
    Architecture network = architecture("gpt:1,2,8,16", text(16));
    assertThrows(UsageException.class, () -> new Dl4jGradientSource(network, text(16)).close());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpt:2,2,8,16", "gpt:1,2,8,16,bias,dropout=0.25"})
  void jsonDescribesTheSameNetwork(String network) {
    DataSet data = text(16);
    String json = architecture(network, data).toJson();
    Architecture read = SavedArchitecture.parse("file", json, data.shape());
    assertEquals(json, read.toJson());
    try (GradientSource one = Networks.open(network, data);
        GradientSource other = OneDnnGradientSource.of(read, data).orElseThrow()) {
      assertEquals(one.layout().toString(), other.layout().toString());
      float[] parameters = new float[one.layout().size()];
      one.initialize(ModelSeeds.of(2), parameters);
      float[] again = new float[parameters.length];
      other.initialize(ModelSeeds.of(2), again);
      assertArrayEquals(parameters, again);
      assertArrayEquals(gradient(one, parameters), gradient(other, parameters));
    }
  }

  @ParameterizedTest
  @CsvSource({"nano-gpt, false", "'gpt:4,4,128,64,bias', true"})
  void initialParametersAreGpt2s(String network, boolean biased) {
    try (GradientSource source = Networks.open(network, text(64))) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(3), parameters);
      long biases = 0;
      for (Block block : source.layout().blocks()) {
        if (block.kind() == Block.Kind.WEIGHT) {
          boolean residual = block.name().matches(".*-(projection|output)\\.W");
          assertNormal(parameters, block, residual ? 0.02 / Math.sqrt(8) : 0.02);
        } else {
          float expected = block.name().endsWith(".gamma") ? 1 : 0;
          biases += expected == 0 ? 1 : 0;
          for (int i = block.offset(); i < block.end(); i++) {
            assertEquals(expected, parameters[i], block.name());
          }
        }
      }
      assertEquals(biased ? 4 * 6 + 1 : 0, biases);
    }
  }

  private static void assertNormal(float[] parameters, Block block, double deviation) {
    double sum = 0;
    double squares = 0;
    double most = 0;
    for (int i = block.offset(); i < block.end(); i++) {
      sum += parameters[i];
      squares += (double) parameters[i] * parameters[i];
      most = Math.max(most, Math.abs(parameters[i]));
    }
    double n = block.length();
    assertEquals(0, sum / n, DEVIATIONS * deviation / Math.sqrt(n), block.name());
    double error = DEVIATIONS * deviation / Math.sqrt(2 * n);
    assertEquals(deviation, Math.sqrt(squares / n), error, block.name());
    // A uniform distribution of this deviation ends at √3.
    assertTrue(most > 2 * deviation, block.name());
  }

  private static Block block(Layout layout, String name) {
    return layout.blocks().stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
  }

  private static Architecture architecture(String network, DataSet data) {
    var needs = new Requirements(data.shape(), data.classes(), Norm.NONE);
    return Networks.definition(network).architecture(needs);
  }

  private static float[] gradient(GradientSource source, float[] parameters) {
    float[] gradient = new float[parameters.length];
    source.begin(parameters, 5);
    source.accumulate(IntStream.range(0, 8).toArray(), 0, 8);
    source.finish(gradient);
    return gradient;
  }
}
