package io.github.amb.models.network;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.ExampleForm;
import io.github.amb.models.data.ImageShape;
import io.github.amb.models.data.ScaledExamples;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.dl4j.GroupNormalization;
import io.github.amb.models.dl4j.ModelFile;
import io.github.amb.models.dl4j.Natives;
import io.github.amb.models.dl4j.SavedArchitecture;
import io.github.amb.models.gpu.GpuBackend;
import io.github.amb.models.onednn.Instructions;
import io.github.amb.models.onednn.OneDnnGradientSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The networks by name. A new one is a class of its own and a line here. */
public final class Networks {
  private static final Map<String, NetworkDefinition> ALL =
      List.of(
              MnistCnn.DEFINITION,
              Cifar10Cnn.DEFINITION,
              ToyFc.DEFINITION,
              ToyConv.DEFINITION,
              SigmoidMlp.DEFINITION,
              Regression.LOGISTIC,
              Regression.LINEAR,
              AdaCompCnn.DEFINITION,
              LeNet.DEFINITION,
              ResNetV1.RESNET_18,
              ResNetV1.RESNET_50,
              ResNetV2.RESNET_50,
              AlexNet.DEFINITION,
              MobileNetV1.DEFINITION,
              MobileNetV2.DEFINITION,
              InceptionV3.DEFINITION,
              CifarResNet.RESNET_18,
              CifarResNet.RESNET_32,
              CifarResNet.RESNET_50,
              CifarResNet.RESNET_110,
              CifarResNet.RESNET_152,
              Vgg.VGG_11,
              Vgg.VGG_13,
              Vgg.VGG_16,
              Vgg.VGG_19,
              WideResNet.WRN_28_2)
          .stream()
          .collect(
              Collectors.toMap(
                  NetworkDefinition::name, Function.identity(), (a, b) -> a, LinkedHashMap::new));

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "mnist", "mnist-cnn",
          "fashion-mnist", "mnist-cnn",
          "digits", "mnist-cnn",
          "cifar10", "cifar10-cnn",
          "toy", "toy-conv",
          "linear", "linear-regression",
          "logistic", "logistic-regression");

  private Networks() {}

  /** Names of all networks. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(ALL.keySet());
  }

  /**
   * The network that a data set is trained on unless the user chooses another.
   *
   * @throws UsageException if there is none for that data set
   */
  public static String defaultFor(String dataSet) {
    String network = DEFAULTS.get(dataSet.replace('_', '-'));
    if (network == null) {
      throw new UsageException(
          "data set '%s' has no default network: name one of %s with --network"
              .formatted(dataSet, String.join(", ", ALL.keySet())));
    }
    return network;
  }

  /**
   * Checks that a network exists and that data fit it, without loading any native library.
   *
   * @throws UsageException if the network is unknown or the data do not fit it
   */
  public static void check(String network, DataSet data) {
    if (SavedArchitecture.isFile(network)) {
      saved(network, data.form());
    } else {
      input(definition(network), data.form());
    }
  }

  /**
   * Checks that there is a network of that name, which has all that is chosen about it.
   *
   * @throws UsageException if there is none, nor a file, or naming every option that it has no use
   *     for
   */
  public static void checkName(String network, NetworkOptions options) {
    if (!SavedArchitecture.isFile(network)) {
      checkConstants(definition(network), options);
      return;
    }
    if (!Files.isRegularFile(Path.of(network))) {
      throw new UsageException("--network: expected a file, found none at " + network);
    }
    refuse(
        options.given(),
        "--%s: expected a network that 'amb models' lists with it, found "
            + network.replace("%", "%%")
            + ", which says itself how it is made");
  }

  private static void checkConstants(NetworkDefinition definition, NetworkOptions options) {
    Requirements stated = definition.stated();
    Norm norm = options.norm() == null ? stated.norm() : options.norm();
    if (options.constants().isEmpty()) {
      return;
    }
    Architecture architecture =
        definition.architecture(new Requirements(stated.input(), stated.classes(), norm));
    if (NetworkOptions.normalizations(architecture).findAny().isEmpty()) {
      refuse(
          options.constants(),
          "--%s: has no use with network "
              + definition.name()
              + ", which does not normalize batches; leave it out or set --norm batch");
    }
  }

  private static void refuse(List<String> given, String problem) {
    if (!given.isEmpty()) {
      throw new UsageException(given.stream().map(problem::formatted).toList());
    }
  }

  private static Architecture saved(String file, ExampleForm form) {
    Architecture architecture = SavedArchitecture.read(Path.of(file), form.shape());
    architecture
        .misfit(form.classes())
        .ifPresent(
            misfit -> {
              throw new UsageException(
                  "%s does not fit data set '%s', examples of %s (channels x height x width) in %d classes: %s"
                      .formatted(file, form.dataSet(), form.shape(), form.classes(), misfit));
            });
    return architecture;
  }

  private static ImageShape input(NetworkDefinition definition, ExampleForm form) {
    return definition
        .rule()
        .inputFor(form.shape())
        .orElseThrow(
            () ->
                new UsageException(
                    "network '%s' expects %s (channels x height x width), found %s in data set '%s': choose another --network"
                        .formatted(
                            definition.name(),
                            definition.rule().expected(),
                            form.shape(),
                            form.dataSet())));
  }

  /**
   * A network on a data set, with as many outputs as the data have classes; the caller closes it.
   *
   * @param options what is chosen about it
   * @throws UsageException if the network is unknown or the data do not fit it
   */
  public static GradientSource open(String network, NetworkOptions options, DataSet data) {
    Architecture architecture = architecture(network, options, data.form());
    DataSet scaled = ScaledExamples.scale(data, architecture.input());
    return OneDnnGradientSource.of(architecture, scaled)
        .<GradientSource>map(source -> source)
        .orElseGet(() -> new Dl4jGradientSource(architecture, scaled));
  }

  /**
   * The same, computed by a GPU with DL4J.
   *
   * @param gpu index of the card among those that this process may see
   * @throws UsageException if the card cannot compute it, too
   */
  public static GradientSource openOnGpu(
      String network, NetworkOptions options, DataSet data, int gpu) {
    Architecture architecture = architecture(network, options, data.form());
    boolean grouped =
        architecture.parts().stream().anyMatch(p -> p.layer() instanceof GroupNormalization);
    if (grouped) {
      throw new UsageException(
          "network %s: expected --norm batch or none on a GPU, found group, which the processor alone computes"
              .formatted(network));
    }
    GpuBackend.required().start(gpu);
    return new Dl4jGradientSource(architecture, ScaledExamples.scale(data, architecture.input()));
  }

  private static Architecture architecture(
      String network, NetworkOptions options, ExampleForm form) {
    if (SavedArchitecture.isFile(network)) {
      return saved(network, form);
    }
    NetworkDefinition definition = definition(network);
    ImageShape input = input(definition, form);
    Norm norm = options.norm() == null ? definition.stated().norm() : options.norm();
    return options.apply(definition.architecture(new Requirements(input, form.classes(), norm)));
  }

  /**
   * Length of a network's flat parameter vector, running statistics included, known without native
   * libraries and without data.
   *
   * @param options what is chosen about it
   * @param form of the examples that it is built for
   */
  public static long parameters(String network, NetworkOptions options, ExampleForm form) {
    NetworkSummary summary =
        NetworkSummary.of(network, architecture(network, options, form), form.classes());
    return summary.parameters() + summary.statistics();
  }

  /**
   * Which engine computes a network's gradients on the processor, {@code oneDNN} or {@code DL4J},
   * and the native code on this host, by name.
   *
   * @param options what is chosen about it
   */
  public static Map<String, String> describeEngine(
      String network, NetworkOptions options, DataSet data) {
    boolean fast = OneDnnGradientSource.isFor(architecture(network, options, data.form()));
    Map<String, String> facts = engine(fast);
    facts.putAll(fast ? Natives.describeUnused() : Natives.describe());
    return facts;
  }

  /**
   * Holds this process to instructions that all of today's x86-64 processors have, so that a
   * network's gradients have the same bits on each of them.
   *
   * @param options what is chosen about it
   * @throws UsageException if oneDNN does not compute it, or cannot be held to them
   */
  public static void holdInstructions(String network, NetworkOptions options, DataSet data) {
    if (!OneDnnGradientSource.isFor(architecture(network, options, data.form()))) {
      throw new UsageException(
          "--reproducible: expected a network that oneDNN computes, found " + network);
    }
    Instructions.holdToAvx2();
  }

  /** The same of a GPU, which this process computes on. */
  public static Map<String, String> describeGpu(int gpu) {
    Map<String, String> facts = engine(false);
    facts.put("gpu", Integer.toString(gpu));
    facts.putAll(Natives.describe());
    return facts;
  }

  /** Of the networks that are listed, all of which one engine computes, and of ND4J. */
  public static Map<String, String> describeEngine() {
    Map<String, String> facts =
        engine(OneDnnGradientSource.isFor(MnistCnn.DEFINITION.architecture()));
    facts.putAll(Natives.describe());
    return facts;
  }

  private static Map<String, String> engine(boolean fast) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("gradient_engine", fast ? "oneDNN" : "DL4J");
    facts.putAll(OneDnnGradientSource.describe());
    return facts;
  }

  /**
   * Writes a network with its parameters for DL4J's {@code ModelSerializer}, in DL4J's own layers.
   *
   * @param options what is chosen about it
   * @param parameters the flat vector; not modified
   * @param file a new file
   * @throws UsageException if the network's layers have no equivalent in DL4J
   */
  public static void write(
      String network, NetworkOptions options, ExampleForm form, float[] parameters, Path file)
      throws IOException {
    ModelFile.write(architecture(network, options, form), parameters, file);
  }

  /** A network with its usual normalization on a data set; the caller closes it. */
  public static GradientSource open(String network, DataSet data) {
    return open(network, NetworkOptions.USUAL, data);
  }

  /**
   * A network as its authors had it, as DL4J writes it in JSON.
   *
   * @throws UsageException if the network is unknown
   */
  public static String json(String network) {
    return definition(network).architecture().toJson();
  }

  /**
   * The layers of a network as its authors had it.
   *
   * @throws UsageException if the network is unknown
   */
  public static NetworkSummary summary(String network) {
    NetworkDefinition definition = definition(network);
    return NetworkSummary.of(network, definition.architecture(), definition.stated().classes());
  }

  static NetworkDefinition definition(String network) {
    NetworkDefinition definition = ALL.get(network);
    if (definition == null) {
      throw new UsageException(
          "unknown network '" + network + "'" + Suggestion.forName(network, ALL.keySet()));
    }
    return definition;
  }
}
