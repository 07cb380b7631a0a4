package io.github.amb.models.dl4j;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.ImageShape;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.deeplearning4j.nn.conf.CacheMode;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.GradientNormalization;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.NoOp;
import org.nd4j.linalg.learning.config.Sgd;

/**
 * Reads networks that DL4J wrote: a configuration as JSON, or a model as zip, whose parameters
 * become the initial ones.
 *
 * <p>The update rule, weight decay and clipping in such a file are ignored, and noted: the master
 * has its own. Anything else that would have no effect is rejected.
 */
public final class SavedArchitecture {
  private static final String CONFIGURATION = "configuration.json";
  private static final String PARAMETERS = "coefficients.bin";
  private static final String CONTENT = "a network as DL4J writes it";
  private static final int LIMIT = DataLimits.NETWORK_JSON_BYTES;

  private static final int MESSAGE_LINES = 4;

  private SavedArchitecture() {}

  /** Whether a network's name is that of a file. */
  public static boolean isFile(String network) {
    return network.endsWith(".json") || network.endsWith(".zip");
  }

  /**
   * Reads a file.
   *
   * @param input shape of one example of the data
   * @throws UsageException if it cannot be read or is not such a network
   */
  public static Architecture read(Path file, ImageShape input) {
    Dl4jSetup.ensure();
    try {
      if (file.toString().endsWith(".json")) {
        return parse(file.toString(), text(BoundedFile.read(file, CONTENT, LIMIT)), input);
      }
      try (ZipFile zip = new ZipFile(BoundedFile.expectFile(file).toFile())) {
        String json = text(bytes(zip, file));
        Architecture architecture = parse(file.toString(), json, input);
        return zip.getEntry(PARAMETERS) == null
            ? architecture
            : architecture.startingFrom(parameters(zip, file));
      }
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", file, FileFailure.reason(e));
    }
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ZipFile zip, Path file) throws IOException {
    ZipEntry entry = zip.getEntry(CONFIGURATION);
    if (entry == null) {
      throw new UsageException(
          "%s: expected a model saved by DL4J, with %s, found none", file, CONFIGURATION);
    }
    try (InputStream in = zip.getInputStream(entry)) {
      return BoundedFile.read(in, file + ": " + CONFIGURATION, CONTENT, LIMIT);
    }
  }

  private static DataInputStream open(ZipFile zip) throws IOException {
    InputStream entry = zip.getInputStream(zip.getEntry(PARAMETERS));
    return new DataInputStream(new BufferedInputStream(entry));
  }

  private static float[] parameters(ZipFile zip, Path file) throws IOException {
    try (DataInputStream in = open(zip)) {
      SavedArray.expectBounded(file + ": " + PARAMETERS, in);
    }
    Natives.require(file + " with parameters");
    try (DataInputStream in = open(zip)) {
      INDArray parameters = Nd4j.read(in);
      return finite(
          parameters.castTo(DataType.FLOAT).reshape(parameters.length()).toFloatVector(), file);
    } catch (UsageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new UsageException(
          "%s: expected parameters in %s, found: %s", file, PARAMETERS, e.getMessage());
    }
  }

  private static float[] finite(float[] parameters, Path file) {
    int bad = Finite.firstBad(parameters, 0, parameters.length);
    if (bad >= 0) {
      throw new UsageException(
          "%s: %s, parameter %d: expected a finite number, found %s",
          file, PARAMETERS, bad, parameters[bad]);
    }
    return parameters;
  }

  /**
   * Reads a configuration.
   *
   * @param source where the text is from, for messages
   * @param text DL4J's JSON
   * @param input shape of one example of the data
   * @throws UsageException if it is not such a network
   */
  public static Architecture parse(String source, String text, ImageShape input) {
    Dl4jSetup.ensure();
    try {
      String json = EarlierLayers.replaced(text);
      boolean graph = json.contains("\"networkInputs\"");
      // DL4J would fail with a null pointer.
      if (!graph && !json.contains("\"confs\"")) {
        throw new UsageException(
            "%s: expected a network as DL4J writes it in JSON, found neither 'confs' nor 'networkInputs'",
            source);
      }
      if (graph) {
        ComputationGraphConfiguration network = ComputationGraphConfiguration.fromJson(json);
        UnreadFields.reject(source, json, network.toJson());
        String unused = unused(LayerGraph.configurations(network), source);
        return Architecture.of(graph(network, source), input).noting(unused);
      }
      MultiLayerConfiguration network = MultiLayerConfiguration.fromJson(json);
      UnreadFields.reject(source, json, network.toJson());
      String unused = unused(network.getConfs(), source);
      return Architecture.of(sequence(network, source), input).noting(unused);
    } catch (UsageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new UsageException(
          "%s: expected a network as DL4J writes it in JSON, found: %s", source, oneLine(e));
    }
  }

  /** DL4J tells the remedy for a file of its version 0.9.1 in a later line. */
  private static String oneLine(Throwable problem) {
    String message =
        String.valueOf(problem.getMessage())
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .limit(MESSAGE_LINES)
            .collect(Collectors.joining(" "));
    return message.isEmpty() ? "nothing" : message;
  }

  private static MultiLayerConfiguration sequence(MultiLayerConfiguration network, String source) {
    prepare(network.getConfs(), source);
    network.setCacheMode(CacheMode.DEVICE);
    return network;
  }

  private static ComputationGraphConfiguration graph(
      ComputationGraphConfiguration network, String source) {
    if (network.getNetworkInputs().size() != 1 || network.getNetworkOutputs().size() != 1) {
      throw new UsageException(
          "%s: expected one input and one output, found %s and %s",
          source, network.getNetworkInputs(), network.getNetworkOutputs());
    }
    prepare(LayerGraph.configurations(network), source);
    network.setCacheMode(CacheMode.DEVICE);
    return network;
  }

  /** Names what the layers have of the master's part; DL4J gives every layer a rule. */
  private static String unused(List<NeuralNetConfiguration> layers, String source) {
    Set<String> names = new TreeSet<>();
    for (NeuralNetConfiguration each : layers) {
      if (each.getLayer() instanceof BaseLayer layer) {
        Stream.of(layer.getIUpdater(), layer.getBiasUpdater())
            .filter(rule -> rule != null && !(rule instanceof NoOp) && !rule.equals(new Sgd()))
            .forEach(rule -> names.add(rule.getClass().getSimpleName()));
        Stream.of(layer.getRegularization(), layer.getRegularizationBias())
            .filter(Objects::nonNull)
            .flatMap(List::stream)
            .forEach(penalty -> names.add(penalty.getClass().getSimpleName()));
        GradientNormalization clipping = layer.getGradientNormalization();
        if (clipping != null && clipping != GradientNormalization.None) {
          names.add(clipping.name());
        }
      }
    }
    return names.isEmpty()
        ? ""
        : "%s: %s of this file are not used; a run has UPDATE-RULE, --weight-decay and --clip-norm"
            .formatted(source, String.join(", ", names));
  }

  private static void prepare(List<NeuralNetConfiguration> layers, String source) {
    for (NeuralNetConfiguration layer : layers) {
      if (layer.getDataType() != DataType.FLOAT) {
        throw new UsageException(
            "%s: expected data type FLOAT, found %s", source, layer.getDataType());
      }
      layer.setMiniBatch(false);
      layer.setCacheMode(CacheMode.DEVICE);
      if (layer.getLayer() instanceof BaseLayer parameterised) {
        parameterised.setIUpdater(new NoOp());
        parameterised.setRegularization(List.of());
        parameterised.setRegularizationBias(List.of());
      }
    }
  }
}
