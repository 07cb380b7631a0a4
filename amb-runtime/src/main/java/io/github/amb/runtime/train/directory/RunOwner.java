package io.github.amb.runtime.train.directory;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Printable;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.lock.RunLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a run needs from the program that it belongs to.
 *
 * @param warnings receives a line for people
 * @param stop makes the request by which the run is stopped; the run closes it
 * @param lost receives a line when another process has taken the lock of the run's directory; must
 *     stop all writing
 * @param disk asked before each write of records and checkpoints
 */
public record RunOwner(
    Consumer<String> warnings, Supplier<StopRequest> stop, Consumer<String> lost, Disk disk) {
  /**
   * A process of this program: warnings go to standard error, a signal stops the run, and the loss
   * of the lock ends the process.
   */
  public static final RunOwner PROCESS =
      new RunOwner(
          warning -> System.err.println("amb: " + Printable.printable(warning)),
          StopRequest::new,
          RunLock::end,
          Disk.REAL);

  /** Warns people with a line. */
  void warn(String warning) {
    warnings.accept(warning);
  }
}
