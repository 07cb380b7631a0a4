package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import java.util.List;

/** What {@link Supervision} decides, for {@link Supervisor} to carry out. */
sealed interface Action {
  /** Start the process of a replacement where it is placed. */
  record Start(RankId rank, RankPlacement placement) implements Action {}

  /** Read the places of workers again; {@link Event.Hosts} follows. */
  record ReadHosts() implements Action {}

  /** Kill a rank's process. */
  record Kill(RankId rank) implements Action {}

  /** Send an order. */
  record Tell(RankId rank, Order order) implements Action {}

  /** Show a line. */
  record Warn(String line) implements Action {}

  /** Show how many of all ranks have listened. */
  record ShowStart(int met, int all) implements Action {}

  /** Show how far training is. */
  record Show(RankReport.Progress report) implements Action {}

  /** End the run. */
  record Finish(RunOutcome outcome) implements Action {}

  /** End the run as ranks did not join; the log of the first one may say why. */
  record FinishLate(List<KnownRank> missing, long seconds) implements Action {}

  /** End the run because of what a rank that runs has done; its log may say why. */
  record FinishFaulty(KnownRank rank, String event) implements Action {}
}
