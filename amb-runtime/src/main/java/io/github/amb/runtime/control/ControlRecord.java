package io.github.amb.runtime.control;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A record between a rank and its launcher. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Heartbeat.class, name = "heartbeat"),
  @JsonSubTypes.Type(value = RankReport.Started.class, name = "started"),
  @JsonSubTypes.Type(value = RankReport.Ready.class, name = "ready"),
  @JsonSubTypes.Type(value = RankReport.Training.class, name = "training"),
  @JsonSubTypes.Type(value = RankReport.Progress.class, name = "progress"),
  @JsonSubTypes.Type(value = RankReport.Over.class, name = "over"),
  @JsonSubTypes.Type(value = RankReport.Connecting.class, name = "connecting"),
  @JsonSubTypes.Type(value = RankReport.Listening.class, name = "listening"),
  @JsonSubTypes.Type(value = RankReport.Connected.class, name = "connected"),
  @JsonSubTypes.Type(value = RankReport.Rejected.class, name = "rejected"),
  @JsonSubTypes.Type(value = RankReport.Malformed.class, name = "malformed"),
  @JsonSubTypes.Type(value = RankReport.Lost.class, name = "lost"),
  @JsonSubTypes.Type(value = RankReport.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = RankReport.Finished.class, name = "finished"),
  @JsonSubTypes.Type(value = Order.Form.class, name = "form"),
  @JsonSubTypes.Type(value = Order.Table.class, name = "table"),
  @JsonSubTypes.Type(value = Order.End.class, name = "end")
})
public sealed interface ControlRecord permits Heartbeat, Order, RankReport {}
