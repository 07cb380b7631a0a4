package io.github.amb.runtime.mpj;

import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Message;
import io.github.amb.runtime.console.Progress;
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
      ExitFile.record(code, "", true);
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
      case "leave" -> leave(engine);
      case "stopped" -> stopped(engine, Integer.parseInt(own[1]));
      case "fail" -> fail(engine, own[1]);
      case "silent" -> silent(control);
      default -> throw new IllegalArgumentException(own[0]);
    }
    engine.close();
  }

  /** Every worker sends each size to the master, which checks it and broadcasts the sum. */
  private static void star(MpjEngine engine, String[] sizes) {
    Message out = new Message();
    Message in = new Message();
    for (int round = 0; round < 2; round++) {
      for (String size : sizes) {
        exchange(engine, Integer.parseInt(size), round, out, in);
      }
    }
    System.out.println("bytes " + engine.bytesSent() + " " + engine.bytesReceived());
    System.out.println("shares " + engine.sharesMemory(engine.rank() == MASTER ? 1 : MASTER));
  }

  private static void exchange(MpjEngine engine, int length, int round, Message out, Message in) {
    if (engine.rank() == MASTER) {
      out.reset(Message.Kind.PARAMETERS, round);
      float[] sum = new float[length];
      for (int from = 1; from < engine.size(); from++) {
        require(engine.receive(from, in, soon()), "message from " + from);
        check(in, Message.Kind.GRADIENT, from, length, round);
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
    out.reset(Message.Kind.GRADIENT, round).examples(7L * engine.rank());
    out.stat(0, engine.rank() + 0.5);
    out.stat(11, -round);
    if (!engine.lend(MASTER, out, length)) {
      out.ensureCapacity(length);
    }
    for (int i = 0; i < length; i++) {
      out.payload().put(i, value(engine.rank(), i, round));
    }
    engine.send(MASTER, out, soon());
    require(engine.receive(MASTER, in, soon()), "parameters");
    require(in.kind() == Message.Kind.PARAMETERS && in.length() == length, "parameters' head");
    for (int i = 0; i < length; i++) {
      float sum = 0;
      for (int rank = 1; rank < engine.size(); rank++) {
        sum += value(rank, i, round);
      }
      require(in.values()[i] == sum, "sum at " + i + ": " + in.values()[i] + " not " + sum);
    }
  }

  private static void check(Message in, Message.Kind kind, int from, int length, int round) {
    require(in.kind() == kind && in.source() == from, "kind and source");
    require(in.step() == round && in.examples() == 7L * from, "step and examples");
    require(in.stat(0) == from + 0.5 && in.stat(11) == -round && in.stat(7) == 0, "stats");
    require(in.length() == length, "length");
    for (int i = 0; i < length; i++) {
      require(in.values()[i] == value(from, i, round), "value at " + i + " from " + from);
    }
  }

  private static float value(int rank, int index, int round) {
    return rank * 1000 + index % 997 + round;
  }

  /** Workers send numbered messages of changing sizes; the master takes whichever comes. */
  private static void any(MpjEngine engine) {
    int count = 100;
    Message message = new Message();
    if (engine.rank() > 0) {
      for (int i = 0; i < count; i++) {
        message.reset(Message.Kind.GRADIENT, i).ensureCapacity(i % 3 * 100_000);
        engine.send(MASTER, message, soon());
      }
      require(
          engine.receive(MASTER, message, soon()) && message.kind() == Message.Kind.STOP, "stop");
      return;
    }
    int[] next = new int[engine.size()];
    for (int i = 0; i < count * (engine.size() - 1); i++) {
      require(engine.receive(ANY, message, soon()), "message " + i);
      require(message.step() == next[message.source()]++, "order from " + message.source());
      require(message.length() == message.step() % 3 * 100_000, "length");
    }
    engine.broadcast(message.reset(Message.Kind.STOP, 0), soon());
  }

  /** A worker sends faster than the master receives. */
  private static void slow(MpjEngine engine, int messages, int length) throws InterruptedException {
    Message message = new Message();
    if (engine.rank() > 0) {
      for (int i = 0; i < messages; i++) {
        message.reset(Message.Kind.GRADIENT, i).ensureCapacity(length)[length - 1] = i;
        engine.send(MASTER, message, soon());
      }
      require(engine.receive(MASTER, message, soon()), "stop");
      return;
    }
    Thread.sleep(1000);
    for (int i = 0; i < messages; i++) {
      require(engine.receive(1, message, soon()), "message " + i);
      require(message.step() == i && message.values()[length - 1] == i, "content of " + i);
      Thread.sleep(i * 4 % messages == 0 ? 100 : 0);
    }
    engine.broadcast(message.reset(Message.Kind.STOP, 0), soon());
  }

  private static void deadline(MpjEngine engine) {
    Message message = new Message();
    if (engine.rank() == 0) {
      long start = System.nanoTime();
      require(!engine.receive(ANY, message, start + 200_000_000), "nothing from any");
      require(!engine.receive(1, message, start + 300_000_000), "nothing from 1");
      double waited = Clock.seconds(start, System.nanoTime());
      require(waited >= 0.3, "waited only " + waited);
      require(!engine.receive(1, message, start), "nothing after the deadline");
      System.out.println("nothing came");
      engine.broadcast(message.reset(Message.Kind.STOP, 0), soon());
    }
    if (engine.rank() > 0) {
      require(engine.receive(MASTER, message, Clock.NEVER), "stop");
    }
  }

  /** A worker leaves in order; the others continue. */
  private static void leave(MpjEngine engine) throws InterruptedException {
    Message message = new Message();
    if (engine.rank() == 1) {
      return;
    }
    if (engine.rank() == 2) {
      Thread.sleep(500);
      engine.send(MASTER, message.reset(Message.Kind.READY, 5), soon());
      require(engine.receive(MASTER, message, soon()), "stop");
      return;
    }
    try {
      engine.receive(1, message, soon());
      throw new IllegalStateException("received from a rank that has left");
    } catch (EngineException e) {
      System.out.println(e.getMessage());
    }
    require(engine.receive(ANY, message, soon()) && message.step() == 5, "message from 2");
    engine.send(2, message.reset(Message.Kind.STOP, 0), soon());
  }

  /** The master sends to a worker that is stopped until it does not take any more. */
  private static void stopped(MpjEngine engine, int length) throws Exception {
    Message message = new Message();
    if (engine.rank() > 0) {
      long pid = ProcessHandle.current().pid();
      message.reset(Message.Kind.READY, 0).examples(pid);
      engine.send(MASTER, message, soon());
      new ProcessBuilder("kill", "-STOP", "" + pid).start();
      // The signal may stop this thread late: it must not leave the run before.
      Thread.sleep(TimeUnit.MINUTES.toMillis(5));
      return;
    }
    require(engine.receive(1, message, soon()), "ready");
    awaitStop(message.examples());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    message.reset(Message.Kind.PARAMETERS, 0).ensureCapacity(length);
    try {
      for (int i = 0; i < 1000; i++) {
        engine.send(1, message, deadline);
      }
    } catch (EngineException e) {
      System.out.println(e.getMessage());
      require(!Thread.currentThread().isInterrupted(), "no interrupt left behind");
      Runtime.getRuntime().halt(20);
    }
  }

  private static void awaitStop(long pid) throws Exception {
    long end = soon();
    while (!Ranks.isStopped(pid)) {
      require(System.nanoTime() < end, "process " + pid + " stopped");
      Thread.sleep(10);
    }
  }

  /** Rank 2, or the rank named after the colon, fails while the others wait for it. */
  private static void fail(MpjEngine engine, String how) throws Exception {
    Message message = new Message();
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
    engine.receive(engine.rank() == 0 ? ANY : MASTER, message, Clock.NEVER);
  }

  /** The master reports its progress again and again; the worker is stopped after a while. */
  private static void silent(RankControl control) throws Exception {
    if (control.rank() > 0) {
      Thread.sleep(TimeUnit.SECONDS.toMillis(3)); // It has sent a heartbeat by then.
      new ProcessBuilder("kill", "-STOP", "" + ProcessHandle.current().pid()).start();
      Thread.sleep(TimeUnit.MINUTES.toMillis(5));
    }
    while (true) {
      control.progress(
          new Progress(
              1, null, null, null, null, 0, false, null, null, null, null, null, null, null));
      Thread.sleep(10);
    }
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
