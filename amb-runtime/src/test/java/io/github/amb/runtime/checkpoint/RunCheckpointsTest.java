package io.github.amb.runtime.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Folder;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RunCheckpointsTest {
  private static final Layout LAYOUT = new Layout(List.of(new Block("a.b", Block.Kind.BIAS, 0, 2)));

  @TempDir Path directory;
  private final List<String> warnings = new ArrayList<>();
  private final StateRegistry registry = new StateRegistry();
  private final LastStep last = new LastStep(registry);
  private final float[] parameters = new float[2];
  private RunCheckpoints run;

  @AfterEach
  void close() {
    run.close();
  }

  private void start(String every, Disk disk, int workers) {
    registry.register("parameters", state -> state.floats("all", parameters));
    CheckpointDirectory checkpoints = new CheckpointDirectory(directory, Origin.ANY, disk);
    Interval interval = Interval.parse(every);
    run =
        new RunCheckpoints(
            checkpoints, interval, 99, step -> false, false, LAYOUT, last, warnings::add);
    last.start(null, workers);
    run.start();
  }

  private List<Long> steps() {
    try {
      return new CheckpointDirectory(directory, Origin.ANY).steps();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long newest() {
    List<Long> steps = steps();
    return steps.isEmpty() ? 0 : steps.get(steps.size() - 1);
  }

  /** The disk writes nothing until training waits for it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void noStepIsRecordedThatMakesTheNewestOneTooOld(int every) {
    Semaphore taken = new Semaphore(0);
    start("" + every, Disk.REAL, 0);
    run.writeAfter(taken::acquireUninterruptibly);
    run.whenWaiting(
        now -> {
          if (now) {
            taken.release();
          }
        });
    for (long step = 1; step <= 21; step++) {
      parameters[0] = step;
      registry.listener().stepEnds(step, step);
      assertTrue(step - newest() <= every, "after step " + step + ": " + steps());
      registry.listener().stepDone(step, step);
    }
    taken.release(21); // closing waits for what is not yet written
    List<Long> all =
        LongStream.rangeClosed(1, 20).filter(step -> step % every == 0).boxed().toList();
    assertEquals(all, steps().subList(0, all.size()));
    assertEquals(List.of(), warnings);
  }

  /** While the disk has errors, nothing can be removed either. */
  @Test
  void whatAFailedWriteLeavesIsRemovedAfterTheNext() throws IOException {
    Path left = directory.resolve(".unfinished-step-000000002");
    AtomicInteger errors = new AtomicInteger(); // In the write, and in the removal.
    Disk disk =
        () -> {
          if (Files.exists(left) && errors.getAndIncrement() < 2) {
            throw new IOException("Input/output error");
          }
        };
    start("2", disk, 0);
    for (long step = 1; step <= 4; step++) {
      registry.listener().stepEnds(step, step);
      registry.listener().stepDone(step, step);
    }
    run.finish(0);
    assertTrue(errors.get() >= 2, warnings.toString());
    assertEquals("step-000000004", Folder.names(directory).get(0), warnings.toString());
  }

  /** Ranks of a generation with fewer workers have other names than before. */
  @Test
  void aCheckpointHasNoStateOfAFormerGeneration() throws IOException {
    start("1", Disk.REAL, 0);
    for (long step = 1; step <= 2; step++) {
      String worker = 3 - step + ".started";
      run.entered();
      registry.register("codec", state -> state.integer(worker, 1));
      registry.listener().stepEnds(step, step);
      registry.listener().stepDone(step, step);
    }
    run.finish(0);
    StateMap found = new CheckpointDirectory(directory, Origin.ANY).open(2).master();
    assertTrue(found.get("codec/1.started") != null);
    assertEquals(null, found.get("codec/2.started"));
  }

  /** The power failed between the last checkpoint and the test of its parameters. */
  @Test
  void aRunThatResumesAtItsEndKeepsTheParametersThatItTests() throws IOException {
    start("2", Disk.REAL, 0);
    last.start(new ResumePoint(8, 4, new StateMap(), new TreeMap<>()), 0);
    run.evaluated(new EvaluationRecord(4, 8, 1.5, 0.5, 10, 0), parameters);
    run.finish(0);
    assertEquals(8, new CheckpointDirectory(directory, Origin.ANY).best().orElseThrow().step());
  }

  /** No checkpoint is written, and every step tries. */
  @Test
  void aRejectingDiskIsWaitedForOnce() {
    Disk full =
        () -> {
          throw new IOException("No space left on device");
        };
    start("2", full, 0);
    for (long step = 1; step <= 7; step++) {
      registry.listener().stepEnds(step, step);
      registry.listener().stepDone(step, step);
    }
    assertEquals(List.of(), steps());
    assertEquals(3, warnings.size(), warnings.toString());
  }

  /** Worker 1 answers with its next result, worker 2 three updates later. */
  @Test
  void statesOfSlowWorkersAreAskedForEarlier() throws IOException {
    start("10", Disk.REAL, 2);
    Workers workers = new Workers();
    Communicator master = last.collecting(workers, new int[] {0, 1, 2});
    Message result = new Message();
    for (long step = 1; step <= 45; step++) {
      master.receive(Communicator.ANY, result, 0);
      parameters[0] = step;
      registry.listener().stepEnds(step, step);
      assertTrue(step - newest() <= 10, "after step " + step + ": " + steps());
      registry.listener().stepDone(step, step);
      master.broadcast(new Message().reset(Message.Kind.PARAMETERS, step), 0);
    }
    assertEquals(List.of(10L, 17L, 24L, 31L, 38L), steps());
    assertEquals(List.of(1), answered(10));
    for (long step : new long[] {17, 24, 31, 38}) {
      assertEquals(List.of(1, 2), answered(step));
    }
    assertEquals(List.of(), warnings);
  }

  /** Which workers' own states are in the checkpoint of a step. */
  private List<Integer> answered(long step) throws IOException {
    ResumePoint point =
        ResumePoint.of(new CheckpointDirectory(directory, Origin.ANY).open(step), 2);
    return IntStream.rangeClosed(1, 2)
        .filter(rank -> point.worker(rank).has("codec"))
        .boxed()
        .toList();
  }

  /** Two workers; each receive is one result, with the states that are due before it. */
  private static final class Workers implements Communicator {
    private final Queue<Integer> states = new ArrayDeque<>();
    private long results;
    private long slow = Long.MAX_VALUE;

    @Override
    public void broadcast(Message message, long deadline) {
      if (message.isStateWanted()) {
        states.add(1);
        slow = results + 3;
      }
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      if (states.isEmpty() && results >= slow) {
        states.add(2);
        slow = Long.MAX_VALUE;
      }
      if (states.isEmpty()) {
        results++;
        into.reset(Message.Kind.GRADIENT, results);
        into.source(1);
      } else {
        StateMap state = new StateMap();
        state.put("codec/residual", new float[] {1});
        StateMessages.put(into.reset(Message.Kind.STATE, results), state);
        into.source(states.remove());
      }
      return true;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int rank() {
      return MASTER;
    }

    @Override
    public int size() {
      return 3;
    }

    @Override
    public long bytesSent() {
      return 0;
    }

    @Override
    public long bytesReceived() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
