package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The count that is known without native libraries is that of the network that is trained. */
class ParameterCountTest {
  @ParameterizedTest
  @CsvSource({
    "mnist-cnn,",
    "resnet32,",
    "resnet32,batch",
    "resnet32,group",
    "resnet32,none",
    "resnet18-v1,",
    "resnet50-v2,group",
    "mobilenet-v2,batch",
    "lenet,"
  })
  void itIsTheLengthOfTheVector(String network, String norm) {
    DataSet data = DataSets.load("digits", null, 1);
    NetworkOptions chosen =
        new NetworkOptions(norm == null ? null : Norm.named(norm), null, null, null, null);
    try (GradientSource source = Networks.open(Networks.named(network), chosen, data)) {
      assertEquals(
          source.layout().size(),
          Networks.parameters(Networks.named(network), chosen, data.form()));
    }
  }
}
