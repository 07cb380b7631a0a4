package io.github.amb.runtime.checkpoint;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Setting.Role;

/** The options of checkpoints and of resumed runs. */
public interface CheckpointSettings {
  /** Values of {@link #RESUME_FROM}. */
  String NEWEST = "newest";

  String START = "start";

  /** Value of {@link #RESUME}: the run of another program, when that has gone. */
  String STANDBY = "standby";

  Setting<String> CHECKPOINT_EVERY =
      Setting.<String>of(
              "checkpoint-every",
              null,
              JsonForm.NUMBER_OR_TEXT,
              text -> Interval.parse(text).toString())
          .in("seconds as 60s, steps as 500, or last")
          .help(
              "checkpoint interval: the newest checkpoint is never older; default 60s, with engine sim last");
  Setting<Integer> CHECKPOINT_KEEP =
      integer("checkpoint-keep", 3, 1, 1_000_000)
          .help("checkpoints kept, besides the best parameters");
  Setting<String> RESUME =
      path("resume", null)
          .in("a run directory, auto or standby")
          .help(
              "resume the run there from its newest checkpoint, with its options; a limit given"
                  + " replaces all those of a finished run; auto: the run in --run-directory, if"
                  + " there is one; standby: likewise, when no other program trains it any more")
          .as(Role.PLACE);
  Setting<String> RESUME_FROM =
      oneOf("resume-from", NEWEST, START)
          .help(
              "with --resume; start: from step 0, after checkpoints and records are moved to RUN/superseded");
}
