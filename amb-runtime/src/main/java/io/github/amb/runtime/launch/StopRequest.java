package io.github.amb.runtime.launch;

import io.github.amb.core.thread.Waits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run finish and save its step after a signal (Ctrl-C, SIGTERM), or when a program asks for
 * it. After a signal the end of the JVM waits for {@link #close}: a few seconds for the step, and
 * longer for a slow disk.
 */
public final class StopRequest implements AutoCloseable {
  /** How long the end of the JVM waits for the step. */
  static final Duration STEP_LIMIT = Duration.ofSeconds(6);

  /** System property: how much longer it waits for an unfinished checkpoint, in seconds. */
  public static final String SAVE_PROPERTY = "amb.timeouts.save";

  /** How much longer it waits for an unfinished checkpoint. */
  public static final Duration SAVE_LIMIT = Duration.ofSeconds(Long.getLong(SAVE_PROPERTY, 30));

  /** Maximum delay of the end of a process with a request. */
  public static final Duration LIMIT = STEP_LIMIT.plus(SAVE_LIMIT).plusSeconds(1);

  private static final long POLL_MILLIS = 20;

  private final Duration stepLimit;
  private final StopHook hook;
  private volatile boolean requested;
  private volatile boolean saving;
  private volatile boolean saved;

  /** A request by a signal. */
  public StopRequest() {
    this(STEP_LIMIT);
  }

  private StopRequest(Duration stepLimit, StopHook hook) {
    this.stepLimit = stepLimit;
    this.hook = hook;
  }

  /** A request by {@link #request} alone; signals have no effect. */
  public static StopRequest byProgram() {
    return new StopRequest(STEP_LIMIT, null);
  }

  /**
   * @param stepLimit how long to wait for the step
   */
  StopRequest(Duration stepLimit) {
    this.stepLimit = stepLimit;
    hook = new StopHook("stop-request", this::requested);
  }

  private void requested() {
    requested = true;
    long start = System.nanoTime();
    boolean waits = true;
    while (waits && !saved && System.nanoTime() - start < limit().toNanos()) {
      waits = Waits.run(() -> TimeUnit.MILLISECONDS.sleep(POLL_MILLIS));
    }
    if (saving && !saved) {
      System.err.println("amb: " + unsaved("the last checkpoint was not written"));
    }
  }

  /** A message about a checkpoint that a slow disk has prevented, with what to do. */
  static String unsaved(String what) {
    long seconds = SAVE_LIMIT.toSeconds();
    return what
        + (" within " + seconds + " s; an earlier checkpoint is the newest; for a slow disk, set ")
        + ("AMB_OPTIONS=-D" + SAVE_PROPERTY + "=" + 10 * seconds);
  }

  private Duration limit() {
    return saving ? stepLimit.plus(SAVE_LIMIT) : stepLimit;
  }

  /** Asks the run to end after its step. */
  public void request() {
    requested = true;
  }

  /** Whether a signal or the program has asked the run to end. */
  public boolean isRequested() {
    return requested;
  }

  /** Sets whether the process waits for the disk, which may take longer than a step. */
  public void saving(boolean saving) {
    this.saving = saving;
  }

  /** Sets whether everything is saved, so that the process may end at once. */
  public void saved(boolean saved) {
    saving = false;
    this.saved = saved;
  }

  /** Declares that nothing is left to do before the end. */
  @Override
  public void close() {
    saved = true;
    if (hook != null) {
      hook.close();
    }
  }
}
