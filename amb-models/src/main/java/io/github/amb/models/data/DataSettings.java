package io.github.amb.models.data;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;

/** The options of the data set. */
public interface DataSettings {
  Setting<String> DATA_SET =
      DataSets.ALL
          .option("data-set", null)
          .in(
              "one of "
                  + String.join(", ", DataSets.ALL.names())
                  + "; NAME:ARGUMENTS for some;"
                  + " or a folder of images per class, a .csv, .npz or .libsvm file")
          .help("what to train on");
  Setting<String> DATA_DIR = path("data-dir", null).help("where the data set's files are");
  Setting<String> AUGMENT =
      oneOf("augment", "none", Augmentation.names())
          .help("random changes of training images: shifts by up to 4 pixels, mirroring");
  Setting<Double> LABEL_SMOOTHING =
      share("label-smoothing", 0.0)
          .help("share of each training label that is spread evenly over all classes");
  Setting<Double> VALIDATION =
      share("validation", 0.0)
          .help("share of training examples to test on; the test part is for the last test alone");
  Setting<String> CLASS_WEIGHTS =
      text("class-weights", null)
          .in("a positive number per class", SmoothedLabels::areWeights)
          .help("factors of the training loss of each class or label");
  Setting<String> SHARDS =
      of(
              "shards",
              Sharding.SHARED.toString(),
              JsonForm.named(Sharding.names()),
              text -> Sharding.named(text).toString())
          .in("one of " + Sharding.usage(), Sharding::isName)
          .help(
              "examples of a worker; shared: its turns in one order of all; strided: every n-th;"
                  + " contiguous: a part; by-class: a part with few classes; dirichlet: random"
                  + " shares of classes; quantity: of all");
  Setting<Integer> SPLIT_BY_CLASS =
      integer("split-by-class", 0, 0, 1).help("1 is ESync's name for shards by-class").implying(1);
}
