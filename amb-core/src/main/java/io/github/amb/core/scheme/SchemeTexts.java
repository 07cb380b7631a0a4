package io.github.amb.core.scheme;

import io.github.amb.core.plugin.Description;

/** The texts that explain the schemes; b is the batch size, n the number of workers. */
final class SchemeTexts {
  static final Description FMB =
      Description.of("fmb", "wait for every worker's whole batch")
          .use("The reference: workers of equal speed, or results to compare others with.")
          .formula("w <- rule(w, mean of the gradients of all n b examples)")
          .source("synchronous SGD; the name is of Ferdinand et al., ICLR 2019");
  static final Description SYNC =
      Description.of("sync", "another name of fmb")
          .use("Command lines of programs that call it so.")
          .source("see fmb");
  static final Description AMB =
      Description.of("amb", "the same time for every worker")
          .use("Workers whose speed varies from step to step, and fresh gradients are needed.")
          .formula("worker i sends the sum over the b_i <= b examples of its time T")
          .source("Ferdinand et al., Anytime Minibatch, ICLR 2019");
  static final Description K_SYNC =
      Description.of("k-sync", "wait for the first k workers, drop the others' gradients")
          .use("A few workers are much slower, and examples are cheap enough to drop.")
          .formula("w <- rule(w, mean over the first k of n batches)")
          .source(
              "Chen et al., Revisiting Distributed Synchronous SGD, 2016; Dutta et al., AISTATS 2018");
  static final Description ASYNC =
      Description.of("async", "update with every gradient as it comes (ASGD)")
          .use("Throughput matters more than stale gradients, as with a small learning rate.")
          .formula("w <- rule(w, mean over K batches, K = 1 unless given, at older parameters)")
          .source(
              "Dean et al., Large Scale Distributed Deep Networks, NIPS 2012; Dutta et al., AISTATS"
                  + " 2018 (K-batch async)");
  static final Description SSP =
      Description.of(
              "ssp", "async, but no worker more than s batches ahead (stale synchronous parallel)")
          .use("As async, where gradients that are too old spoil training.")
          .formula("a worker starts batch c only if the slowest has finished batch c - s - 1")
          .source(
              "Ho et al., More Effective Distributed ML via a Stale Synchronous Parallel Parameter"
                  + " Server, NIPS 2013");
  static final Description DCASGD =
      Description.of("dcasgd", "async, gradients corrected for their delay (DC-ASGD)")
          .use("As async, where stale gradients cost accuracy and the master has time to spare.")
          .formula(
              "g + L g * g * (w_now - w_then), L = lambda, or if adaptive lambda / sqrt(mean of g * g)")
          .source("Zheng et al., Asynchronous SGD with Delay Compensation, ICML 2017");
  static final Description AMB_DG =
      Description.of("amb-dg", "amb whose workers never wait, with delayed gradients")
          .use(
              "Messages take as long as a step, so that waiting for parameters idles workers. Latency"
                  + " overlaps with computation, transmission does not.")
          .formula("amb, with gradients at parameters of some steps ago")
          .source(
              "Al-Lawati and Draper, Anytime Minibatch with Delayed Gradients, IEEE TSIPN 2021");
  static final Description FMB_DG =
      Description.of(
              "fmb-dg", "fmb whose workers never wait, with delayed gradients (K-batch async)")
          .use("The counterpart of amb-dg with fixed batches, to compare with.")
          .formula("w <- rule(w, mean over K batches, from whichever workers)")
          .source("Dutta et al., Slow and Stale Gradients Can Win the Race, AISTATS 2018");
  static final Description LOCAL_SGD =
      Description.of("local-sgd", "H local steps per worker, then average the parameters")
          .use("The network is slow, and workers are about equally fast.")
          .formula("w <- mean over workers of w after H local steps")
          .source("Stich, Local SGD Converges Fast and Communicates Little, ICLR 2019");
  static final Description DILOCO =
      Description.of("diloco", "H local steps per worker, then an outer Nesterov step")
          .use("Many local steps, such as 100 or more, between rare messages.")
          .formula("w <- Nesterov(w, mean of the workers' changes)")
          .source(
              "Douillard et al., DiLoCo: Distributed Low-Communication Training of Language Models,"
                  + " 2023");
  static final Description ASYNC_DILOCO =
      Description.of("async-diloco", "diloco with every change as it comes, momentum with the N-th")
          .use("As diloco, with workers of different speed: local steps are in proportion to it.")
          .formula(
              "w <- w - rate (change / N); with every N-th also Nesterov's momentum of N changes")
          .source("Liu et al., Asynchronous Local-SGD Training for Language Modeling, 2024");
  static final Description STREAMING_DILOCO =
      Description.of("streaming-diloco", "diloco by fragments in turn, during local steps")
          .use("As diloco, where exchanges hold workers up. A death loses its changes alone.")
          .formula("diloco for fragment p; tau steps later w_i <- alpha w_i + (1 - alpha) w")
          .source("Douillard et al., Streaming DiLoCo with Overlapping Communication, 2025");
  static final Description DECOUPLED_DILOCO =
      Description.of(
              "decoupled-diloco", "streaming-diloco that waits for a quorum, with fair weights")
          .use("As streaming-diloco, with workers that are slow, stall or fail.")
          .formula(
              "changes of K workers or more, weighted by local steps: mean norm, mean direction")
          .source("Decoupled DiLoCo, arXiv 2604.21428, 2026");
  static final Description ANYTIME_SGD =
      Description.of(
              "anytime-sgd", "local steps for a fixed time, parameters weighted by work done")
          .use("A slow network and workers of different speed.")
          .formula("w <- sum over workers of q_i / q w_i, with q_i examples in time T")
          .source("Ferdinand and Draper, Anytime Stochastic Gradient Descent, Allerton 2018");
  static final Description ESYNC =
      Description.of("esync", "local steps that fill the slowest worker's time")
          .use("Machines of lasting different speed: each does as many steps as fit.")
          .formula("a worker pushes after floor((rest - epsilon) / its time per step) more steps")
          .source(
              "Li et al., ESync: Accelerating Intra-Domain Federated Learning in Heterogeneous Data"
                  + " Centers, IEEE TSC 2020");
  static final Description FEDAVG =
      Description.of("fedavg", "E local epochs of some workers, then average the parameters")
          .use("Unequal shards of data, workers that may not all take part; federated learning.")
          .formula("w <- sum of m_i w_i / sum of m_i, with m_i examples of E epochs of worker i")
          .source("McMahan et al., Communication-Efficient Learning, AISTATS 2017");
  static final Description FEDPROX =
      Description.of("fedprox", "fedavg whose workers stay near the parameters received")
          .use("As fedavg, where very different shards make local parameters drift apart.")
          .formula("worker i minimizes f_i(w_i) + mu/2 |w_i - w|^2")
          .source("Li et al., Federated Optimization in Heterogeneous Networks, MLSys 2020");
  static final Description FEDBUFF =
      Description.of("fedbuff", "fedavg with every K changes as they come, stale ones weakened")
          .use("As fedavg, with workers of very different speed. A death loses the buffer.")
          .formula("w <- w - rate 1/K (sum of changes / sqrt(1 + delay)), delay in updates")
          .source("Nguyen et al., Buffered Asynchronous Aggregation, AISTATS 2022");
  static final Description SCAFFOLD =
      Description.of("scaffold", "fedavg whose workers correct their gradients for their own data")
          .use("As fedprox, with the rule sgd. A death resets the corrections.")
          .formula("w_i <- w_i - rate (g_i - c_i + c); c_i <- c_i - c + (w - w_i) / (K rate)")
          .source("Karimireddy et al., SCAFFOLD, ICML 2020");
  static final Description FEDCOMPASS =
      Description.of(
              "fedcompass", "local steps by speed, so that groups of workers arrive together")
          .use("As esync, where speeds differ by more than Q_max / Q_min, or change.")
          .formula("w <- w - rate 1/n (sum over a group of changes / sqrt(1 + delay))")
          .source("Li et al., FedCompass, ICLR 2024");
  static final Description CODED =
      Description.of("coded", "every example at s + 1 workers, recover the sum without s of them")
          .use("The update of fmb is needed exactly, and s workers may be arbitrarily slow.")
          .formula("decoding vector a with a B = (1, ..., 1) for any n - s rows of B")
          .source("Tandon et al., Gradient Coding: Avoiding Stragglers, ICML 2017");

  static final Description DELAY_ADAPTIVE =
      Description.of("delay-adaptive", "async, smaller updates with gradients of a long delay")
          .use("As async, where a few workers are so slow that their gradients spoil training.")
          .formula("w <- w - rate n / max(n, delay) g, delay in updates")
          .source("Mishchenko et al., Asynchronous SGD Under Arbitrary Delays, NeurIPS 2022");
  static final Description RINGMASTER =
      Description.of("ringmaster", "async without gradients of a delay of R updates or more")
          .use("Workers of very different speed, all with the same data; the optimal time.")
          .formula("w <- rule(w, g) if g is of parameters of less than R updates ago")
          .source("Maranjyan et al., Ringmaster ASGD, ICML 2025");
  static final Description RENNALA =
      Description.of("rennala", "the next K gradients at the newest parameters")
          .use("As ringmaster, with few updates of large batches: slow networks, large K.")
          .formula("w <- rule(w, mean over K batches at w, from whichever workers)")
          .source("Tyurin and Richtarik, Optimal Time Complexities, NeurIPS 2023");
  static final Description MALENIA =
      Description.of("malenia", "rennala that waits for some of every worker, weighted alike")
          .use("As rennala, with different data at each worker.")
          .formula("w <- rule(w, mean over workers of mean over their k_i >= 1 batches at w)")
          .source("see rennala");
  static final Description RINGLEADER =
      Description.of("ringleader", "async whose updates have a gradient of every worker")
          .use("Workers of very different speed and data. A worker's death begins the round again.")
          .formula("n updates per round: w <- rule(w, mean over workers of their means in it)")
          .source("Maranjyan and Richtarik, Ringleader ASGD, ICLR 2026");
  static final Description IA2SGD =
      Description.of("ia2sgd", "update with the newest gradient of every worker, however old")
          .use(
              "As ringleader, for workers of nearly equal speed. A worker's death empties the table.")
          .formula("with every gradient: w <- rule(w, mean over workers of their newest gradients)")
          .source("Blatt et al., A Convergent Incremental Gradient Method, SIAM J. Optim. 2007");
  static final Description RESCALED =
      Description.of("rescaled-asgd", "async, every worker moves w as far per time as any other")
          .use("As async, with different data at each worker and no memory for ringleader's sums.")
          .formula("w <- w - rate n tau_i / (sum of tau) g, tau_i seconds per gradient of worker i")
          .source("Rescaled Asynchronous SGD, arXiv 2605.13434, 2026");
  static final Description AMB_GRAPH =
      Description.of("amb-graph", "amb without a master: neighbors in a graph agree")
          .use(
              "As amb, where no link can carry the messages of all workers. A node's death removes"
                  + " its edges.")
          .formula(
              "z_i <- r rounds of weighted means of z_i + g_i with the b_i; w_i <- w_0 - rate z_i")
          .source("Ferdinand et al., Anytime Minibatch, ICLR 2019");
  static final Description FMB_GRAPH =
      Description.of("fmb-graph", "fmb without a master: neighbors in a graph agree")
          .use("The counterpart of amb-graph with fixed batches, to compare with.")
          .formula("as amb-graph, b_i = b")
          .source("see amb-graph");
  static final Description NOLOCO =
      Description.of("noloco", "diloco without a master: random pairs of workers meet")
          .use("As diloco, where no link can carry the changes of all workers. Without codecs.")
          .formula(
              "m_i <- mu m_i + rate (mean of both w after H local steps - w_i); w_i <- w_i + m_i")
          .source("Kolehmainen et al., NoLoCo: No-all-reduce Low Communication Training, 2025");

  private SchemeTexts() {}
}
