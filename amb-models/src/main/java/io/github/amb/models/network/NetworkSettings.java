package io.github.amb.models.network;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.option.Setting;
import io.github.amb.models.dl4j.Distribution;
import io.github.amb.models.dl4j.Initialization;
import io.github.amb.models.dl4j.Loss;

/** The options of the network. */
public interface NetworkSettings {
  Setting<String> NETWORK =
      Networks.ALL
          .option("network", null)
          .in("a name that amb models lists, a .json or .zip file of DL4J, or an .onnx file")
          .help("the network to train; default: the data set's usual one");
  Setting<String> NORM =
      oneOf("norm", null, Norm.names()).help("how it normalizes; default: the network's usual way");
  Setting<Double> BATCH_NORM_DECAY =
      share("batch-norm-decay", null)
          .help(
              "share of running statistics kept per step: Keras' momentum, 1 - PyTorch's; default 0.9");
  Setting<Double> BATCH_NORM_EPSILON =
      positive("batch-norm-epsilon", null).help("added to variances; default 1e-5");
  Setting<String> INIT =
      text("init", null)
          .in(
              "DISTRIBUTION[:SCALE][,dense=DISTRIBUTION[:SCALE]], of "
                  + String.join(", ", Distribution.names()),
              t -> Initialization.parse(t) != null)
          .help(
              "distribution of initial weights, scale 0.05 unless given; default: the network's usual");
  Setting<String> INIT_FROM =
      path("init-from", null)
          .help(
              "start from the parameters of a run, a checkpoint, or an .npy, .npz or .safetensors file");
  Setting<String> LOSS =
      oneOf("loss", null, Loss.names())
          .help("loss of the outputs; default: mcxent of classes, xent of labels, mse of numbers");
}
