package io.github.amb.models.network;

import java.util.List;

/** The listed networks that are graphs of layers. A new one is a definition and an entry. */
public final class GraphNetworks {
  private static final String RESNET_PAPER =
      "He et al., Deep Residual Learning for Image Recognition, CVPR 2016";
  private static final String VGG_PAPER =
      "Simonyan and Zisserman, Very Deep Convolutional Networks, ICLR 2015; as ATOMO trains them";

  private static final String GPT_PAPER =
      "Radford et al., Language Models are Unsupervised Multitask Learners, 2019; as nanoGPT";

  private GraphNetworks() {}

  /** In the order in which they are listed. */
  public static List<NetworkDefinition> entries() {
    return List.of(
        ResidualNetworks.RESNET_18_V1.about(
            "residual network of 18 layers for large images",
            "ESync's experiments.",
            RESNET_PAPER + "; Gluon's model zoo, 2017"),
        ResidualNetworks.RESNET_50_V1.about(
            "residual network of 50 layers for large images",
            "ESync's experiments.",
            RESNET_PAPER + "; Gluon's model zoo, 2017"),
        ResidualNetworks.RESNET_50_V2.about(
            "residual network of 50 layers, normalized before convolutions",
            "ESync's experiments.",
            "He et al., Identity Mappings in Deep Residual Networks, ECCV 2016"),
        AlexNet.DEFINITION.about(
            "five convolutions, three dense layers",
            "A network with few layers and many parameters.",
            "Krizhevsky, One Weird Trick, 2014; Gluon's model zoo, 2017"),
        MobileNetV1.DEFINITION.about(
            "depthwise separable convolutions",
            "Much computation per parameter.",
            "Howard et al., MobileNets, 2017; Gluon's model zoo, 2017"),
        MobileNetV2.DEFINITION.about(
            "inverted residuals with linear bottlenecks",
            "As mobilenet-v1, with residuals.",
            "Sandler et al., MobileNetV2, CVPR 2018; Gluon's model zoo, 2017"),
        InceptionV3.DEFINITION.about(
            "parallel convolutions of several sizes",
            "Large images, long steps.",
            "Szegedy et al., Rethinking the Inception Architecture, CVPR 2016"),
        ResidualNetworks.RESNET_18.about(
            "residual network of 18 layers for 32x32",
            "Compression experiments, as ATOMO's.",
            RESNET_PAPER),
        ResidualNetworks.RESNET_32.about(
            "the CIFAR residual network of 32 layers, 16 to 64 channels",
            "A small network with published accuracies.",
            RESNET_PAPER + ", 4.2"),
        ResidualNetworks.RESNET_50.about(
            "residual network of 50 layers for 32x32", "As resnet18, larger.", RESNET_PAPER),
        ResidualNetworks.RESNET_110.about(
            "the CIFAR residual network of 110 layers, 16 to 64 channels",
            "As resnet32, deeper.",
            RESNET_PAPER + ", 4.2"),
        ResidualNetworks.RESNET_152.about(
            "residual network of 152 layers for 32x32", "As resnet18, the largest.", RESNET_PAPER),
        Vgg.VGG_11.about(
            "8 convolutions, 3 dense layers", "Many parameters per example.", VGG_PAPER),
        Vgg.VGG_13.about("10 convolutions, 3 dense layers", "As vgg11, larger.", VGG_PAPER),
        Vgg.VGG_16.about("13 convolutions, 3 dense layers", "As vgg11, larger.", VGG_PAPER),
        Vgg.VGG_19.about("16 convolutions, 3 dense layers", "As vgg11, the largest.", VGG_PAPER),
        ResidualNetworks.WRN_28_2.about(
            "residual network of 28 layers, twice as wide as resnet32's",
            "ImageNet at 32x32.",
            "Zagoruyko and Komodakis, Wide Residual Networks, BMVC 2016"),
        GptNetworks.GPT.about(
            "GPT-2's transformer of these sizes, with tied embeddings",
            "Language models.",
            GPT_PAPER),
        GptNetworks.NANO_GPT.about(
            "gpt:4,4,128,64, nanoGPT's network for processors",
            "A language model that learns in minutes.",
            GPT_PAPER),
        VisionTransformers.VIT.about(
            "vision transformer of these sizes, mean of all patches",
            "CIFAR-10 without convolutions.",
            "Dosovitskiy et al., An Image is Worth 16x16 Words, ICLR 2021; Beyer et al., 2022"));
  }
}
