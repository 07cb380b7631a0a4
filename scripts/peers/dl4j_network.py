"""A network that DL4J wrote as JSON, as a function of PyTorch.

Network(json, parameters) takes the parsed configuration and a dictionary from "layer.key" to
tensors in DL4J's shapes. Called with examples [n, channels, height, width], it returns logits:
[n, classes], or [n, positions, classes] for windows of text, [n, 1, 1, positions].
"""
import torch
import torch.nn.functional as F

ACTIVATIONS = {
    "ActivationIdentity": None,
    "ActivationReLU": torch.relu,
    "ActivationReLU6": F.relu6,
    "ActivationSigmoid": torch.sigmoid,
}


def activation(conf):
    function = conf["activationFn"]
    kind = function["@class"].split(".")[-1]
    if kind == "Gelu":
        return lambda x: F.gelu(x, approximate="tanh" if function["tanh"] else "none")
    return ACTIVATIONS[kind]


def padding(conf, size):
    """Padding left, right, above and below. DL4J's mode Same pads the smaller half in front."""
    if conf["convolutionMode"] != "Same":
        h, w = conf["padding"]
        return [w, w, h, h]
    pads = []
    for length, kernel, stride in reversed(list(zip(size, conf["kernelSize"], conf["stride"]))):
        total = max(0, (-(-length // stride) - 1) * stride + kernel - length)
        pads += [total // 2, total - total // 2]
    return pads


def windowed(conf, x, fill, function):
    """Applies function to x, after the padding that function itself cannot do."""
    left, right, top, bottom = padding(conf, x.shape[2:])
    if left == right and top == bottom:
        return function(x, (top, left))
    return function(F.pad(x, (left, right, top, bottom), value=fill), 0)


def group_norm(x, gamma, beta):
    groups = 1
    channels = x.shape[1]
    if x.dim() == 4:
        groups = max(g for g in range(1, 33) if channels % g == 0 and (g == 1 or channels // g >= 4))
    return F.group_norm(x, groups, gamma, beta, 1e-5)


def attention(conf, x):
    n, positions, features = x.shape
    heads = conf["heads"]
    q, k, v = (
        part.view(n, positions, heads, -1).transpose(1, 2)
        for part in x.split(features // 3, dim=2)
    )
    y = F.scaled_dot_product_attention(
        q, k, v, dropout_p=1 - conf["keep"], is_causal=conf["causal"])
    return y.transpose(1, 2).reshape(n, positions, features // 3)


class Network:
    def __init__(self, network, parameters):
        self.parameters = parameters
        self.steps = []
        if "confs" in network:
            names = [str(i) for i in range(len(network["confs"]) + 1)]
            for i, conf in enumerate(network["confs"]):
                self.steps.append((self.layer(conf["layer"]), [names[i]], names[i + 1]))
            self.input, self.output = names[0], names[-1]
        else:
            self.input, self.output = network["networkInputs"][0], network["networkOutputs"][0]
            self.add_vertices(network)

    def add_vertices(self, network):
        known, waiting = {self.input}, dict(network["vertices"])
        while waiting:
            for name in list(waiting):
                inputs = network["vertexInputs"][name]
                if all(i in known for i in inputs):
                    self.steps.append((self.vertex(waiting.pop(name)), inputs, name))
                    known.add(name)

    def __call__(self, examples):
        values = {self.input: examples}
        for function, inputs, name in self.steps:
            values[name] = function(*[values[i] for i in inputs])
        return values[self.output]

    def vertex(self, conf):
        kind = conf["@class"].split(".")[-1]
        if kind == "LayerVertex":
            return self.layer(conf["layerConf"]["layer"])
        if kind == "ElementWiseVertex":
            return lambda a, b: a + b
        if kind == "MergeVertex":
            return lambda *parts: torch.cat(parts, 1)
        if kind == "ScaleVertex":
            return lambda x: x * conf["scaleFactor"]
        raise ValueError(kind)

    def parameter(self, conf, key):
        return self.parameters.get("%s.%s" % (conf["layerName"], key))

    def layer(self, conf):
        kind = conf["@class"].split(".")[-1]
        if kind == "DenseLayer":
            return self.then(conf, self.dense(conf))
        if kind == "OutputLayer":
            return self.dense(conf)
        if kind in ("ConvolutionLayer", "DepthwiseConvolution2D"):
            return self.then(conf, self.convolution(conf, kind == "DepthwiseConvolution2D"))
        if kind == "SubsamplingLayer":
            return self.pooling(conf)
        if kind in ("BatchNormalization", "GroupNormalization"):
            return self.normalisation(conf, kind)
        if kind == "SequenceEmbedding":
            return self.embedding(conf)
        if kind == "SequencePatches":
            places = self.parameter(conf, "P")
            return lambda x: x.flatten(2).transpose(1, 2) + places
        if kind == "SequenceMean":
            return lambda x: x.mean(1)
        if kind == "SequenceNormalization":
            gamma, beta = self.parameter(conf, "gamma"), self.parameter(conf, "beta")
            return lambda x: F.layer_norm(x, gamma.shape, gamma, beta, conf["epsilon"])
        if kind == "SequenceDense":
            w, b = self.parameter(conf, "W"), self.parameter(conf, "b")
            return lambda x: F.linear(x, w, b)
        if kind == "SelfAttention":
            return lambda x: attention(conf, x)
        if kind == "TiedOutput":
            tied = self.parameters[conf["embedding"] + ".W"]
            return lambda x: F.linear(x, tied)
        if kind == "ActivationLayer":
            return self.then(conf, lambda x: x)
        if kind == "DropoutLayer":
            keep = 1.0 if conf["idropout"] is None else conf["idropout"]["p"]
            return (lambda x: x) if keep == 1.0 else lambda x: F.dropout(x, 1 - keep, True)
        if kind == "ZeroPaddingLayer":
            top, bottom, left, right = conf["padding"]
            return lambda x: F.pad(x, (left, right, top, bottom))
        if kind == "GlobalPoolingLayer":
            return lambda x: x.mean((2, 3))
        raise ValueError(kind)

    @staticmethod
    def then(conf, function):
        after = activation(conf)
        return function if after is None else lambda x: after(function(x))

    def embedding(self, conf):
        tokens, places = self.parameter(conf, "W"), self.parameter(conf, "P")
        return lambda x: F.embedding(x.flatten(1).long(), tokens) + places[:x.shape[-1]]

    def dense(self, conf):
        w, b = self.parameter(conf, "W"), self.parameter(conf, "b")
        return lambda x: F.linear(x.flatten(1), w, b)

    def convolution(self, conf, depthwise):
        w, b = self.parameter(conf, "W"), self.parameter(conf, "b")
        kernel = w.permute(2, 3, 0, 1) if depthwise else w
        groups = w.shape[2] if depthwise else 1

        def function(x, pad):
            return F.conv2d(x, kernel, b, conf["stride"], pad, groups=groups)

        return lambda x: windowed(conf, x, 0.0, function)

    @staticmethod
    def pooling(conf):
        pool = F.max_pool2d if conf["poolingType"] == "MAX" else F.avg_pool2d
        fill = -1e30 if conf["poolingType"] == "MAX" else 0.0

        def function(x, pad):
            return pool(x, conf["kernelSize"], conf["stride"], pad)

        return lambda x: windowed(conf, x, fill, function)

    def normalisation(self, conf, kind):
        gamma, beta = self.parameter(conf, "gamma"), self.parameter(conf, "beta")
        if kind == "GroupNormalization":
            return lambda x: group_norm(x, gamma, beta)
        mean, variance = self.parameter(conf, "mean"), self.parameter(conf, "log10stdev")
        if mean is not None:
            mean, variance = mean.detach(), variance.detach()
        return lambda x: F.batch_norm(
            x, mean, variance, gamma, beta, True, 1 - conf["decay"], conf["eps"])
