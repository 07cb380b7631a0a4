package io.github.amb.runtime.mpj;

import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
import io.github.amb.runtime.launch.ExitFile;
import io.github.amb.runtime.launch.RankControl;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** What the ranks of the tests do; the first argument names the scenario. */
public final class RankMain {
  private RankMain() {}

  /** Runs one rank and ends the process. */
  public static void main(String[] args) throws Exception {
    RankControl control = RankControl.start(args);
    int rank = Integer.parseInt(args[0]);
    int code = 0;
    try {
      run(control, args);
      control.finished();
    } catch (Throwable e) {
      e.printStackTrace();
      System.err.println("amb: rank " + rank + ": " + e);
      control.failed(e, e.toString());
      code = 1;
    }
    if (rank == 0 || code != 0) {
      ExitFile.record(code);
    }
    if (code != 0 || !MpjEngine.sharesJvm(args)) {
      Runtime.getRuntime().halt(code);
    }
  }

  private static void run(RankControl control, String[] args) throws Exception {
    if (args[3].equals("absent") && control.rank() == 1) {
      Thread.sleep(TimeUnit.MINUTES.toMillis(10));
    }
    MpjEngine engine = MpjEngine.join(args, control.meeting(1));
    String[] own = engine.remaining();
    switch (own[0]) {
      case "star" -> star(engine, Arrays.copyOfRange(own, 1, own.length));
      case "any" -> any(engine);
      case "slow" -> slow(engine, Integer.parseInt(own[1]), Integer.parseInt(own[2]));
      case "deadline" -> deadline(engine);
      case "limit" -> limit(engine, Integer.parseInt(own[1]));
      case "leave" -> leave(engine);
      case "stopped" -> stopped(engine, Integer.parseInt(own[1]));
      case "fail" -> fail(engine, own[1]);
      default -> throw new IllegalArgumentException(own[0]);
    }
    engine.close();
  }

  /** Every worker sends each size to the master, which checks it and broadcasts the sum. */
  private static void star(MpjEngine engine, String[] sizes) {
    Frame out = new Frame();
    Frame in = new Frame();
    for (int round = 0; round < 3; round++) {
      for (String size : sizes) {
        exchange(engine, Integer.parseInt(size), round, out, in);
      }
    }
    System.out.println("bytes " + engine.bytesSent() + " " + engine.bytesReceived());
    System.out.println("shares " + engine.sharesMemory(engine.rank() == MASTER ? 1 : MASTER));
  }

  private static void exchange(MpjEngine engine, int length, int round, Frame out, Frame in) {
    if (engine.rank() == MASTER) {
      out.reset(Frame.Kind.PARAMETERS, round);
      float[] sum = new float[length];
      for (int from = 1; from < engine.size(); from++) {
        require(engine.receive(from, in, soon()), "frame from " + from);
        check(in, Frame.Kind.GRADIENT, from, length, round);
        for (int i = 0; i < length; i++) {
          sum[i] += in.values()[i];
        }
      }
      if (!engine.lend(ANY, out, length)) {
        out.ensureCapacity(length);
      }
      out.payload().put(0, sum);
      engine.broadcast(out, soon());
      return;
    }
    out.reset(Frame.Kind.GRADIENT, round).examples(7L * engine.rank());
    out.stat(0, engine.rank() + 0.5);
    out.stat(15, -round);
    if (!engine.lend(MASTER, out, length)) {
      out.ensureCapacity(length);
    }
    for (int i = 0; i < length; i++) {
      out.payload().put(i, value(engine.rank(), i, round));
    }
    engine.send(MASTER, out, soon());
    require(engine.receive(MASTER, in, soon()), "parameters");
    require(in.kind() == Frame.Kind.PARAMETERS && in.length() == length, "parameters' head");
    for (int i = 0; i < length; i++) {
      float sum = 0;
      for (int rank = 1; rank < engine.size(); rank++) {
        sum += value(rank, i, round);
      }
      require(in.values()[i] == sum, "sum at " + i + ": " + in.values()[i] + " not " + sum);
    }
  }

  private static void check(Frame in, Frame.Kind kind, int from, int length, int round) {
    require(in.kind() == kind && in.source() == from, "kind and source");
    require(in.step() == round && in.examples() == 7L * from, "step and examples");
    require(in.stat(0) == from + 0.5 && in.stat(15) == -round && in.stat(7) == 0, "stats");
    require(in.length() == length, "length");
    for (int i = 0; i < length; i++) {
      require(in.values()[i] == value(from, i, round), "value at " + i + " from " + from);
    }
  }

  private static float value(int rank, int index, int round) {
    return rank * 1000 + index % 997 + round;
  }

  /** Workers send numbered frames of changing sizes; the master takes whichever comes. */
  private static void any(MpjEngine engine) {
    int count = 100;
    Frame frame = new Frame();
    if (engine.rank() > 0) {
      for (int i = 0; i < count; i++) {
        frame.reset(Frame.Kind.GRADIENT, i).ensureCapacity(i % 3 * 100_000);
        engine.send(MASTER, frame, soon());
      }
      require(engine.receive(MASTER, frame, soon()) && frame.kind() == Frame.Kind.STOP, "stop");
      return;
    }
    int[] next = new int[engine.size()];
    for (int i = 0; i < count * (engine.size() - 1); i++) {
      require(engine.receive(ANY, frame, soon()), "frame " + i);
      require(frame.step() == next[frame.source()]++, "order from " + frame.source());
      require(frame.length() == frame.step() % 3 * 100_000, "length");
    }
    engine.broadcast(frame.reset(Frame.Kind.STOP, 0), soon());
  }

  /** A worker sends faster than the master receives. */
  private static void slow(MpjEngine engine, int frames, int length) throws InterruptedException {
    Frame frame = new Frame();
    if (engine.rank() > 0) {
      for (int i = 0; i < frames; i++) {
        frame.reset(Frame.Kind.GRADIENT, i).ensureCapacity(length)[length - 1] = i;
        engine.send(MASTER, frame, soon());
      }
      require(engine.receive(MASTER, frame, soon()), "stop");
      return;
    }
    Thread.sleep(1000);
    for (int i = 0; i < frames; i++) {
      require(engine.receive(1, frame, soon()), "frame " + i);
      require(frame.step() == i && frame.values()[length - 1] == i, "content of " + i);
      Thread.sleep(i * 4 % frames == 0 ? 100 : 0);
    }
    engine.broadcast(frame.reset(Frame.Kind.STOP, 0), soon());
  }

  private static void deadline(MpjEngine engine) {
    Frame frame = new Frame();
    if (engine.rank() == 0) {
      long start = System.nanoTime();
      require(!engine.receive(ANY, frame, start + 200_000_000), "nothing from any");
      require(!engine.receive(1, frame, start + 300_000_000), "nothing from 1");
      double waited = Clock.seconds(start, System.nanoTime());
      require(waited >= 0.3, "waited only " + waited);
      require(!engine.receive(1, frame, start), "nothing after the deadline");
      System.out.println("nothing came");
      engine.broadcast(frame.reset(Frame.Kind.STOP, 0), soon());
    }
    if (engine.rank() > 0) {
      require(engine.receive(MASTER, frame, Clock.NEVER), "stop");
    }
  }

  /** The master refuses a frame that is longer than its model. */
  private static void limit(MpjEngine engine, int limit) {
    Frame frame = new Frame();
    if (engine.rank() > 0) {
      require(engine.receive(MASTER, frame, soon()), "go");
      int length = engine.rank() == 1 ? limit + 1 : limit;
      frame.reset(Frame.Kind.GRADIENT, 0);
      if (!engine.lend(MASTER, frame, length)) {
        frame.ensureCapacity(length);
      }
      engine.send(MASTER, frame, soon());
      require(engine.receive(MASTER, frame, soon()), "stop");
      engine.send(MASTER, frame.reset(Frame.Kind.STOP, 0), soon());
      return;
    }
    engine.limit(limit);
    engine.broadcast(frame.reset(Frame.Kind.STOP, 0), soon());
    require(engine.receive(2, frame, soon()), "frame from 2");
    try {
      engine.receive(1, frame, soon());
      throw new IllegalStateException("took a frame that is too long");
    } catch (EngineException e) {
      System.out.println(e.getMessage());
    }
    engine.send(2, frame.reset(Frame.Kind.STOP, 0), soon());
    require(engine.receive(2, frame, soon()), "answer of 2");
    System.out.println("others go on");
    Runtime.getRuntime().halt(0);
  }

  /** A worker leaves in order; the others continue. */
  private static void leave(MpjEngine engine) throws InterruptedException {
    Frame frame = new Frame();
    if (engine.rank() == 1) {
      return;
    }
    if (engine.rank() == 2) {
      Thread.sleep(500);
      engine.send(MASTER, frame.reset(Frame.Kind.READY, 5), soon());
      require(engine.receive(MASTER, frame, soon()), "stop");
      return;
    }
    try {
      engine.receive(1, frame, soon());
      throw new IllegalStateException("received from a rank that has left");
    } catch (EngineException e) {
      System.out.println(e.getMessage());
    }
    require(engine.receive(ANY, frame, soon()) && frame.step() == 5, "frame from 2");
    engine.send(2, frame.reset(Frame.Kind.STOP, 0), soon());
  }

  /** The master sends to a worker that is stopped until it does not take any more. */
  private static void stopped(MpjEngine engine, int length) throws Exception {
    Frame frame = new Frame();
    if (engine.rank() > 0) {
      engine.send(MASTER, frame.reset(Frame.Kind.READY, 0), soon());
      new ProcessBuilder("kill", "-STOP", "" + ProcessHandle.current().pid()).start().waitFor();
      return;
    }
    require(engine.receive(1, frame, soon()), "ready");
    Thread.sleep(500);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    frame.reset(Frame.Kind.PARAMETERS, 0).ensureCapacity(length);
    try {
      for (int i = 0; i < 1000; i++) {
        engine.send(1, frame, deadline);
      }
    } catch (EngineException e) {
      System.out.println(e.getMessage());
      require(!Thread.currentThread().isInterrupted(), "no interrupt left behind");
      Runtime.getRuntime().halt(20);
    }
  }

  /** Rank 2, or the rank named after the colon, fails while the others wait for it. */
  private static void fail(MpjEngine engine, String how) throws Exception {
    Frame frame = new Frame();
    if (engine.rank() == 0) {
      System.out.println("running");
    }
    int failing = how.contains(":") ? Integer.parseInt(how.substring(how.indexOf(':') + 1)) : 2;
    if (engine.rank() == failing) {
      Thread.sleep(300);
      switch (how.replaceAll(":.*", "")) {
        case "throw" -> throw new IllegalStateException("the worker's own cause");
        case "exit0" -> System.exit(0);
        case "exit3" -> System.exit(3);
        case "kill" -> new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start();
        default -> Thread.sleep(TimeUnit.MINUTES.toMillis(5));
      }
      Thread.sleep(TimeUnit.MINUTES.toMillis(5));
    }
    engine.receive(engine.rank() == 0 ? ANY : MASTER, frame, Clock.NEVER);
  }

  private static long soon() {
    return System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException("expected " + what);
    }
  }
}
