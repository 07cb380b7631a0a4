package io.github.amb.runtime.train.directory;

import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process with a run that ends in an unusual way and is then told to end. */
public final class EndingMain {
  private EndingMain() {}

  /**
   * Arguments: a run directory, and what happens before the signal: {@code told}, an error ended
   * training, and the ending was told; {@code uncaught}, an error ends another thread; {@code
   * untold}, nothing, but telling fails.
   */
  public static void main(String[] args) throws InterruptedException {
    RunLock lock = RunLock.training(new RunDirectory(Path.of(args[0])));
    boolean untold = args[1].equals("untold");
    Duration patience = untold ? Duration.ZERO : Duration.ofHours(1);
    RunEnding ending = new RunEnding(lock, patience, untold ? failing() : RunView.none());
    if (args[1].equals("told")) {
      ending.tell(new RunOutcome(ExitCode.FAILED, "java.lang.OutOfMemoryError"));
    } else if (args[1].equals("uncaught")) {
      Thread thread = new Thread(EndingMain::overflow);
      thread.start();
      thread.join();
    }
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  private static void overflow() {
    throw new StackOverflowError();
  }

  private static RunView failing() {
    return new RunView() {
      @Override
      public void end() {
        throw new OutOfMemoryError("of the view");
      }
    };
  }
}
