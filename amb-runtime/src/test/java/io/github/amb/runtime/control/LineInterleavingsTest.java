package io.github.amb.runtime.control;

import static io.github.amb.runtime.system.Interleavings.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.net.Channel;
import io.github.amb.runtime.net.MalformedFrameException;
import io.github.amb.runtime.system.Interleavings;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank's reports and their acknowledgements, in many orders of two threads' steps. */
@Tag("lab")
class LineInterleavingsTest {
  @ParameterizedTest
  @ValueSource(classes = {AFlushEndsWithTheLast.class, AFlushEndsInTime.class})
  void everyOrderIsRight(Class<? extends Interleavings.Body> body) throws Exception {
    Interleavings.check(body, 300);
  }

  /** A line whose records are acknowledged one by one, as they come. */
  private static final class Line {
    final Semaphore news = new Semaphore(0);
    volatile int arrived;
    final ControlLine line =
        new ControlLine(
            new Channel.Name(1, 0, false),
            Order.class,
            new ControlLine.Listener() {},
            news::release);

    Thread acknowledge(int count) {
      return start(
          () -> {
            for (int i = 1; i <= count; i++) {
              news.acquire();
              arrived = i;
              line.acknowledge(i);
            }
          });
    }
  }

  static final class AFlushEndsWithTheLast implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      Line line = new Line();
      Thread connection = line.acknowledge(3);
      Thread other = start(() -> line.line.send(new RankReport.Ready()));
      line.line.send(new RankReport.Training());
      line.line.send(new RankReport.Over());
      other.join();
      long begun = System.nanoTime();
      assertTrue(line.line.awaitEmpty(60_000));
      assertEquals(3, line.arrived);
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(60));
      connection.join();
      assertThrows(MalformedFrameException.class, () -> line.line.acknowledge(4));
    }
  }

  static final class AFlushEndsInTime implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      Line line = new Line();
      Thread connection = line.acknowledge(1);
      line.line.send(new RankReport.Training());
      line.line.send(new RankReport.Over());
      long begun = System.nanoTime();
      assertFalse(line.line.awaitEmpty(1_000));
      assertTrue(System.nanoTime() - begun >= TimeUnit.SECONDS.toNanos(1));
      connection.join();
    }
  }
}
