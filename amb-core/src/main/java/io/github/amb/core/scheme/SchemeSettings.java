package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;

/** The options of all schemes, each under its name, with the type of its values. */
public interface SchemeSettings {
  Setting<Double> AMB_MISSED = AnytimeMiniBatch.MISSED;
  Setting<Integer> AMB_NUM_PARTITIONS = AnytimeOptions.NUM_PARTITIONS;
  Setting<Double> AMB_TIME_LIMIT = AnytimeOptions.TIME_LIMIT;
  Setting<Double> ASYNC_DELAY_STD = AmbDelayedGradient.DELAY_STD;
  Setting<String> ASYNC_MASTER = AmbDelayedGradient.MASTER;
  Setting<Integer> ASYNC_MASTER_BATCH_MIN = AmbDelayedGradient.MASTER_BATCH_MIN;
  Setting<Double> ASYNC_MASTER_TIME_LIMIT = AmbDelayedGradient.MASTER_TIME_LIMIT;
  Setting<Integer> BUFFER_SIZE = FedBuff.BUFFER;
  Setting<Double> CLIENT_FRACTION = FedAvg.FRACTION;
  Setting<String> CLIENT_WEIGHTS = FedAvg.WEIGHTS;
  Setting<String> CODED_REPETITION = Coded.CODE;
  Setting<Integer> CODED_STRAGGLERS = Coded.STRAGGLERS;
  Setting<Integer> CONSENSUS_ROUNDS = FmbGraph.ROUNDS;
  Setting<Double> CONSENSUS_TIME = AmbGraph.CONSENSUS_TIME;
  Setting<Double> DCASGD_DECAY = DcAsgd.DECAY;
  Setting<Double> DCASGD_LAMBDA = DcAsgd.LAMBDA;
  Setting<String> DCASGD_MODE = DcAsgd.MODE;
  Setting<Integer> DELAY_THRESHOLD = Ringmaster.THRESHOLD;
  Setting<Integer> DISPATCH = FedBuff.DISPATCH;
  Setting<Double> ESYNC_EPSILON = ESync.EPSILON;
  Setting<Double> ESYNC_EPSILON_SECONDS = ESync.EPSILON_SECONDS;
  Setting<Integer> ESYNC_PARTITIONS = ESync.PARTITIONS;
  Setting<Double> ESYNC_SMOOTHING = ESync.SMOOTHING;
  Setting<String> ESYNC_WEIGHTING = ESync.WEIGHTING;
  Setting<Integer> FRAGMENTS = StreamingDiLoCo.FRAGMENTS;
  Setting<Double> GRACE = DecoupledDiLoCo.GRACE;
  Setting<Integer> GRADIENTS_PER_UPDATE = Async.GRADIENTS;
  Setting<String> GRAPH = FmbGraph.GRAPH;
  Setting<Double> LATEST_ARRIVAL = FedCompass.LATENESS;
  Setting<Double> LOCAL_EPOCHS = FedAvg.LOCAL_EPOCHS;
  Setting<Integer> LOCAL_STEPS = LocalSgd.LOCAL_STEPS;
  Setting<Integer> LOCAL_STEPS_AFTER = LocalSgd.LOCAL_STEPS_AFTER;
  Setting<String> LOCAL_STEPS_BY = AsyncDiLoCo.STEPS_BY;
  Setting<Integer> LOCAL_STEPS_MAX = FedCompass.MAX;
  Setting<Integer> LOCAL_STEPS_MIN = FedCompass.MIN;
  Setting<Double> MIXING = StreamingDiLoCo.MIXING;
  Setting<Integer> MOMENTUM_INTERVAL = AsyncDiLoCo.INTERVAL;
  Setting<Integer> NUM_AGGREGATE = KSync.NUM_AGGREGATE;
  Setting<String> OUTDATED = RestartingScheme.OUTDATED;
  Setting<String> OUTER_AVERAGE = DecoupledDiLoCo.AVERAGE;
  Setting<Double> OUTER_LEARNING_RATE = DiLoCo.OUTER_LEARNING_RATE;
  Setting<Double> OUTER_MOMENTUM = DiLoCo.OUTER_MOMENTUM;
  Setting<Integer> OVERLAP = StreamingDiLoCo.OVERLAP;
  Setting<Double> PROXIMAL_MU = FedAvg.PROXIMAL;
  Setting<Integer> QUORUM = DecoupledDiLoCo.QUORUM;
  Setting<Integer> RESTART_PARTITIONS = RestartingScheme.PARTITIONS;
  Setting<Long> STALENESS = Ssp.STALENESS;
}
