package io.github.amb.models.network;

import io.github.amb.core.file.Reading;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.ScaledExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleForm;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.device.DeviceSource;
import io.github.amb.models.device.GpuBackend;
import io.github.amb.models.device.OpenClDevice;
import io.github.amb.models.device.OpenClDevices;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.dl4j.GroupNormalization;
import io.github.amb.models.dl4j.Loss;
import io.github.amb.models.dl4j.Natives;
import io.github.amb.models.dl4j.SavedArchitecture;
import io.github.amb.models.graph.GraphReader;
import io.github.amb.models.onednn.OneDnnGradientSource;
import io.github.amb.models.onednn.primitive.Instructions;
import io.github.amb.models.onednn.primitive.Precision;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The networks by name. A new one of ours is a definition and an entry here. */
public final class Networks implements Plugin<NetworkDefinition> {
  private static final String LEFT_TO_DL4J = "%s, which has a layer that oneDNN does not compute";

  /** Files of networks that other programs write. */
  private static final Pattern FOREIGN =
      Pattern.compile(".*\\.(h5|hdf5|keras|pt|pth|pb|tflite|safetensors)");

  /** All networks, by name. */
  public static final Registry<NetworkDefinition> ALL =
      new Registry<>("network", NetworkDefinition.class);

  @Override
  public List<NetworkDefinition> entries() {
    List<NetworkDefinition> own =
        List.of(
            SequentialNetworks.MNIST_CNN.about(
                "two 5x5 convolutions with pooling, 1024 hidden units",
                "MNIST and data of its shape.",
                "TensorFlow 1, MNIST tutorial, 2015"),
            SequentialNetworks.CIFAR10_CNN.about(
                "four convolutions, three hidden layers, batch normalization, dropout",
                "CIFAR-10 as in AMB's experiments.",
                "experiments of Anytime Minibatch, 2019"),
            SequentialNetworks.TOY_FC.about(
                "fully connected, 100-500-1000-500-10",
                "Measuring the speed of dense layers.",
                "AMB"),
            SequentialNetworks.TOY_CONV.about(
                "a small convolutional network", "Tests of convolutions that take no time.", "AMB"),
            SequentialNetworks.SIGMOID_MLP.about(
                "one hidden layer of 100 sigmoid units",
                "Fast steps on MNIST, with smooth losses.",
                "as in a distributed example of TensorFlow 1"),
            SizedNetworks.MLP.about(
                "hidden layers of these numbers of ReLU units",
                "Tables, and data of any other shape.",
                "Rumelhart et al., Learning Representations by Back-Propagating Errors, 1986"),
            SizedNetworks.CNN.about(
                "convolutions of these numbers of channels, each with 2x2 pooling and ReLU",
                "Images of any size.",
                "LeCun et al., Gradient-Based Learning Applied to Document Recognition, 1998"),
            SequentialNetworks.LOGISTIC.about(
                "softmax of a linear map, no hidden layer",
                "Convex problems of several classes.",
                "AMB's theory, ICLR 2019"),
            SequentialNetworks.LINEAR.about(
                "one number by a linear map, squared error",
                "Convex problems whose target is a number.",
                "AMB's theory, ICLR 2019"),
            SequentialNetworks.ADACOMP_CNN.about(
                "two 3x3 convolutions with pooling, 128 hidden units",
                "AdaComp's experiments.",
                "Hardy et al., IEEE NCA 2017"),
            SequentialNetworks.LENET.about(
                "two 5x5 convolutions without padding, 500 hidden units",
                "ATOMO's experiments on MNIST.",
                "LeCun et al., 1998, as in Caffe"),
            QuadraticObjective.DEFINITION);
    return Stream.concat(own.stream(), GraphNetworks.entries().stream()).toList();
  }

  /**
   * The default network of a data set.
   *
   * @throws UsageException if there is none for that data set
   */
  public static String defaultFor(String dataSet) {
    return DataSets.find(dataSet)
        .map(DataSetDefinition::network)
        .orElseThrow(
            () ->
                new UsageException(
                    "data set '%s' has no default network: set --network, such as mlp:64,32 for a table or cnn:16,32 for images; 'amb models' lists all",
                    dataSet));
  }

  /**
   * The network of a name, or in a file.
   *
   * @param network a name, or the path of a file of DL4J or ONNX
   * @throws UsageException if there is neither
   */
  public static NetworkDefinition named(String network) {
    if (!isEntry(network) && FOREIGN.matcher(network).matches()) {
      throw new UsageException(
          "--network: expected a name, a .json or .zip file of DL4J or an .onnx file, found %s; export it as .onnx there, or import it with DL4J, as Keras' files with KerasModelImport, and save it with ModelSerializer",
          network);
    }
    if (!isFile(network)) {
      return definition(network);
    }
    Path file = Path.of(network);
    if (!Files.isRegularFile(file)) {
      throw new UsageException("--network: expected a file, found none at " + network);
    }
    return NetworkDefinition.unlisted(
        network,
        needs ->
            network.endsWith(OnnxNetwork.SUFFIX)
                ? OnnxNetwork.read(file, needs)
                : SavedArchitecture.read(file, needs.input()));
  }

  private static boolean isEntry(String network) {
    return ALL.find(network.split(":", 2)[0]).isPresent();
  }

  private static boolean isFile(String network) {
    return (SavedArchitecture.isFile(network) || network.endsWith(OnnxNetwork.SUFFIX))
        && !isEntry(network);
  }

  /**
   * SHA-256 of a network's files, by path; empty if it has none.
   *
   * @throws UsageException if a file cannot be read
   */
  public static Map<String, String> checksums(String network) {
    if (isEntry(network)) {
      Objective objective = definition(network).objective();
      return objective == null ? Map.of() : objective.checksums();
    }
    Path file = Path.of(network);
    return isFile(network) && Files.isRegularFile(file)
        ? Reading.expect(file, () -> Map.of(network, Sha256.of(file)))
        : Map.of();
  }

  /**
   * Checks that data fit a network, without loading any native library.
   *
   * @throws UsageException if they do not
   */
  public static void check(NetworkDefinition network, DataSet data) {
    Architecture layers =
        network.hasLayers() ? architecture(network, NetworkOptions.USUAL, data.form()) : null;
    if (layers == null) {
      network.objective().check(data);
    } else {
      data.train().copyFeatures(0, new float[data.shape().size()]);
      expectPositions(network, layers.positions(), data);
    }
    boolean softmax = layers != null && layers.loss() == Loss.MCXENT;
    if (!softmax && data.train().smoothing() > 0) {
      throw new UsageException(
          "--label-smoothing: expected a network that has softmax and cross-entropy, found %s; leave it out",
          network.name());
    }
  }

  private static void expectPositions(NetworkDefinition network, long expected, DataSet data) {
    int positions = data.train().positions();
    if (expected != positions) {
      throw new UsageException(
          "network '%s' expects examples of %d labels each, found %d in data set '%s': choose another --network, such as %s",
          network.name(),
          expected,
          positions,
          data.name(),
          positions == 1 ? SizedNetworks.example(data.shape()) : "gpt:4,4,128," + positions);
    }
  }

  /** What of a network's file is not used; empty if that is nothing. */
  public static String note(NetworkDefinition network, NetworkOptions options, ExampleForm form) {
    return network.isListed() || !network.hasLayers()
        ? ""
        : architecture(network, options, form).note();
  }

  /**
   * Checks that a network has all given options.
   *
   * @throws UsageException if it does not have an option; the message has all such options
   */
  public static void checkOptions(NetworkDefinition network, NetworkOptions options) {
    if (network.isListed()) {
      checkConstants(network, options);
    } else {
      reject(
          options.given(),
          "--%s: expected a network that 'amb models' lists with it, found "
              + network.name().replace("%", "%%")
              + ", which says itself how it is made");
    }
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
      reject(
          options.constants(),
          "--%s: has no use with network "
              + definition.name()
              + ", which does not normalize batches; leave it out or set --norm batch");
    }
  }

  private static void reject(List<String> given, String problem) {
    UsageException.expectNone(given.stream().map(problem::formatted).toList());
  }

  private static ImageShape input(NetworkDefinition definition, ExampleForm form) {
    return definition
        .rule()
        .inputFor(form.shape())
        .orElseThrow(
            () ->
                new UsageException(
                    "network '%s' expects %s (channels x height x width), found %s in data set '%s': choose another --network, such as %s",
                    definition.name(),
                    definition.rule().expected(),
                    form.shape(),
                    form.dataSet(),
                    SizedNetworks.example(form.shape())));
  }

  /** Opens a network on a data set in fp32; the caller closes it. */
  public static GradientSource open(
      NetworkDefinition network, NetworkOptions options, DataSet data) {
    return open(network, options, data, Precision.FP32);
  }

  /**
   * Opens a network on a data set, with one output per class; the caller closes it.
   *
   * @param options the user's options of the network
   * @param precision of gradients, not BF16 if there is a {@link #bf16Obstacle}
   * @throws UsageException if the data do not fit it
   */
  public static GradientSource open(
      NetworkDefinition network, NetworkOptions options, DataSet data, Precision precision) {
    if (!network.hasLayers()) {
      return network.objective().open(data);
    }
    Architecture architecture = architecture(network, options, data.form());
    DataSet scaled = ScaledExamples.scale(data, architecture.input());
    Optional<OneDnnGradientSource> fast = OneDnnGradientSource.of(architecture, scaled, precision);
    if (fast.isPresent()) {
      return fast.get();
    }
    Natives.require(LEFT_TO_DL4J.formatted(network.name()));
    return new Dl4jGradientSource(architecture, scaled);
  }

  /**
   * Checks that this program can compute a network on the processor. Loads no native library if
   * ND4J's are installed.
   *
   * @param options what is chosen about it
   * @param data the training data
   * @throws UsageException if oneDNN does not know a layer and ND4J's natives are not installed
   */
  public static void checkNatives(NetworkDefinition network, NetworkOptions options, DataSet data) {
    if (network.hasLayers()
        && !Natives.areInstalled()
        && !OneDnnGradientSource.isFor(architecture(network, options, data.form()))) {
      Natives.require(LEFT_TO_DL4J.formatted(network.name()));
    }
  }

  /**
   * Opens a network on a data set, with one output per class, computed by DL4J on the only GPU that
   * is visible to this process; the caller closes it.
   *
   * @param options the user's options of the network
   * @throws UsageException if the data do not fit it, or the GPU cannot compute it
   */
  public static GradientSource openOnGpu(
      NetworkDefinition network, NetworkOptions options, DataSet data) {
    GpuBackend.required().start(); // Before the architecture, whose builder may use ND4J.
    Architecture architecture = architecture(network, options, data.form());
    boolean grouped =
        architecture.parts().stream().anyMatch(p -> p.layer() instanceof GroupNormalization);
    if (grouped) {
      throw new UsageException(
          "network %s: expected --norm batch or none on ND4J's GPUs, found group; choose --device gpu:opencl for it",
          network.name());
    }
    return new Dl4jGradientSource(architecture, ScaledExamples.scale(data, architecture.input()));
  }

  /**
   * Opens a network on a data set, with one output per class, computed by an OpenCL device; the
   * caller closes it.
   *
   * @param options the user's options of the network
   * @throws UsageException if the data do not fit it, or the device cannot compute it
   */
  public static GradientSource openOn(
      OpenClDevices.Found found, NetworkDefinition network, NetworkOptions options, DataSet data) {
    Architecture architecture = architecture(network, options, data.form());
    DataSet scaled = ScaledExamples.scale(data, architecture.input());
    checkDevice(network, options, data);
    return DeviceSource.of(architecture, scaled, new OpenClDevice(found)).orElseThrow();
  }

  /**
   * Checks that a device with kernels of our own can compute a network.
   *
   * @param options what is chosen about it
   * @param data the training data
   * @throws UsageException if it has a layer that there is no kernel for
   */
  public static void checkDevice(NetworkDefinition network, NetworkOptions options, DataSet data) {
    if (GraphReader.read(architecture(network, options, data.form())).isEmpty()) {
      throw new UsageException(
          "--device: expected a network without layers that only DL4J computes, found %s; choose"
              + " cpu, or gpu:nd4j in a program that has it",
          network.name());
    }
  }

  /**
   * The layers of a network.
   *
   * @param options the user's options of the network
   * @param form form of the examples for which it is built
   * @throws UsageException if it has none, or does not fit the examples
   */
  public static Architecture architecture(
      NetworkDefinition network, NetworkOptions options, ExampleForm form) {
    if (!network.hasLayers()) {
      return network.architecture();
    }
    Architecture architecture =
        network.isListed()
            ? listed(network, options, form)
            : network.architecture(requirements(form, form.shape(), Norm.NONE, null));
    architecture
        .misfit(form.targets(), form.classes())
        .ifPresent(
            misfit -> {
              throw new UsageException(
                  "%s does not fit data set '%s', examples of %s (channels x height x width) in %d %s: %s",
                  network.name(),
                  form.dataSet(),
                  form.shape(),
                  form.classes(),
                  form.predicted(),
                  misfit);
            });
    return architecture;
  }

  private static Architecture listed(
      NetworkDefinition network, NetworkOptions options, ExampleForm form) {
    ImageShape input = input(network, form);
    Norm norm = options.norm() == null ? network.stated().norm() : options.norm();
    Architecture built =
        options.apply(network.architecture(requirements(form, input, norm, options.loss())));
    if (options.loss() != null && built.loss() != options.loss()) {
      throw new UsageException(
          "--loss: expected a network without a loss of its own, found %s, which has %s; leave it out",
          network.name(), built.loss());
    }
    return built;
  }

  private static Requirements requirements(
      ExampleForm form, ImageShape input, Norm norm, Loss loss) {
    Loss chosen = loss == null ? Loss.of(form.targets()) : loss;
    return new Requirements(input, form.classes(), norm, form.targets(), chosen);
  }

  /**
   * Length of a network's flat parameter vector, running statistics included. Needs neither native
   * libraries nor data.
   *
   * @param options the user's options of the network
   * @param form form of the examples for which it is built
   */
  public static long parameters(
      NetworkDefinition network, NetworkOptions options, ExampleForm form) {
    if (!network.hasLayers()) {
      return network.objective().layout(form).size();
    }
    NetworkSummary summary = summary(network, options, form);
    return summary.parameters() + summary.statistics();
  }

  private static NetworkSummary summary(
      NetworkDefinition network, NetworkOptions options, ExampleForm form) {
    return NetworkSummary.of(network.name(), architecture(network, options, form), form.classes());
  }

  /**
   * What tells a network from others: the number of its parameters, and a checksum of its layers.
   *
   * @param options the user's options of the network
   * @param form form of the examples for which it is built
   */
  public static Map<String, String> describe(
      NetworkDefinition network, NetworkOptions options, ExampleForm form) {
    String layers =
        network.hasLayers()
            ? summary(network, options, form).layers().toString()
            : network.name() + network.objective().layout(form).blocks();
    return Map.of(
        "parameters",
        Long.toString(parameters(network, options, form)),
        "network_sha256",
        Sha256.of(layers.getBytes(StandardCharsets.UTF_8)));
  }

  /** Whether a text is the bare name of a network whose arguments count its layers. */
  public static boolean isSized(String network) {
    return network.equals(SizedNetworks.MLP.name()) || network.equals(SizedNetworks.CNN.name());
  }

  /**
   * The text of a network whose arguments a run of an earlier version did not record.
   *
   * @param network as recorded
   * @param layout of its parameters
   * @return {@code network} if it has arguments, or needs none
   */
  public static String restored(String network, Layout layout) {
    return SizedNetworks.restored(network, layout);
  }

  /**
   * The engine that computes a network's gradients on the processor, {@code oneDNN} or {@code
   * DL4J}, and the native code on this host, by name.
   *
   * @param options the user's options of the network
   */
  public static Map<String, String> describeEngine(
      NetworkDefinition network, NetworkOptions options, DataSet data) {
    if (!network.hasLayers()) {
      return Map.of("gradient_engine", network.objective().engine());
    }
    boolean fast = OneDnnGradientSource.isFor(architecture(network, options, data.form()));
    return engine(fast, fast ? Natives.describeUnused() : Natives.describe());
  }

  /**
   * Restricts this process to instructions that all current x86-64 processors have. A network's
   * gradients then have the same bits on each of them.
   *
   * @param options the user's options of the network
   * @throws UsageException if oneDNN does not compute the network, or cannot be restricted
   */
  public static void holdInstructions(
      NetworkDefinition network, NetworkOptions options, DataSet data) {
    if (!network.hasLayers() && network.objective().engine().equals(Objective.JAVA)) {
      return;
    }
    if (!network.hasLayers()
        || !OneDnnGradientSource.isFor(architecture(network, options, data.form()))) {
      throw new UsageException(
          "--reproducible: expected a network that oneDNN computes, found " + network.name());
    }
    Instructions.holdToAvx2();
  }

  /**
   * Why this process cannot compute a network's gradients in bfloat16; empty if it can.
   *
   * @param options the user's options of the network
   */
  public static Optional<String> bf16Obstacle(
      NetworkDefinition network, NetworkOptions options, DataSet data) {
    boolean known =
        network.hasLayers()
            && OneDnnGradientSource.isFor(architecture(network, options, data.form()));
    String other = "expected a network that oneDNN computes, found " + network.name();
    return (known ? Precision.bf16Obstacle() : Optional.of(other))
        .map("--precision bf16: %s; choose fp32 or auto"::formatted);
  }

  /** DL4J's backend and native code on the GPU that this process uses, by name. */
  public static Map<String, String> describeGpu() {
    return engine(false, Natives.describe());
  }

  /** The engine of the listed networks, which is the same for all, and ND4J, by name. */
  public static Map<String, String> describeEngine() {
    Architecture usual = SequentialNetworks.MNIST_CNN.architecture();
    return engine(OneDnnGradientSource.isFor(usual), Natives.describe());
  }

  private static Map<String, String> engine(boolean fast, Map<String, String> natives) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("gradient_engine", fast ? "oneDNN" : "DL4J");
    facts.putAll(OneDnnGradientSource.describe());
    facts.putAll(natives);
    return facts;
  }

  /** Opens a network with its default options on a data set; the caller closes it. */
  public static GradientSource open(String network, DataSet data) {
    return open(named(network), NetworkOptions.USUAL, data);
  }

  /**
   * DL4J's JSON of a network with its authors' settings.
   *
   * @throws UsageException if the network is unknown
   */
  public static String json(String network) {
    return definition(network).architecture().toJson();
  }

  /**
   * Floating-point operations of convolutions and dense layers for the gradient of one example, of
   * a network as its authors had it; empty if oneDNN does not compute it.
   *
   * @throws UsageException if the network is unknown
   */
  public static OptionalLong operations(String network) {
    NetworkDefinition definition = definition(network);
    return definition.hasLayers()
        ? OneDnnGradientSource.operations(definition.architecture())
        : OptionalLong.empty();
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
    Registry.Choice<NetworkDefinition> choice = ALL.choose(network);
    return choice.entry().chosen(choice);
  }
}
