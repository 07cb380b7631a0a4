package io.github.amb.core.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** One line of a run's log, with the record's {@code type}. All times are in seconds. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = StepRecord.class, name = "step"),
  @JsonSubTypes.Type(value = EvaluationRecord.class, name = "evaluation"),
  @JsonSubTypes.Type(value = EndRecord.class, name = "test_part"),
  @JsonSubTypes.Type(value = CollectRecord.class, name = "collect"),
  @JsonSubTypes.Type(value = WorkerRecord.class, name = "worker"),
  @JsonSubTypes.Type(value = DropRecord.class, name = "drop"),
  @JsonSubTypes.Type(value = MembershipRecord.class, name = "membership"),
  @JsonSubTypes.Type(value = SlowRecord.class, name = "slow")
})
public sealed interface LogRecord
    permits StepRecord,
        EvaluationRecord,
        EndRecord,
        CollectRecord,
        ResultRecord,
        MembershipRecord,
        SlowRecord {
  /** Seconds since the run's first step began. */
  double time();

  /** The update that it describes, or the last one before it was written. */
  long step();

  /** The records of a type, in the order of a log. */
  static <T extends LogRecord> List<T> of(Class<T> type, List<LogRecord> log) {
    return log.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
