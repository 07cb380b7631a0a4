package io.github.amb.runtime.system;

import mpi.MPI;

/**
 * Synchronous training's messages by MPJ Express alone, for the fault matrix: 40 steps in which the
 * master sends a vector to every worker and receives one from each. In step 11 the fault that the
 * first argument names happens to rank 2, or to those that it is about.
 */
public final class PlainMpj {
  private static final int STEPS = 40;
  private static final int MANY_STEPS = 400;
  private static final int FAULT_STEP = 11;
  private static final int FAULT_RANK = 2;
  private static final long STEP_MILLIS = 50;

  /** Length of a message that takes longer than the kill of its sender. */
  private static final int LONG = 20_000_000;

  private PlainMpj() {}

  public static void main(String[] args) throws Exception {
    String[] own = MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    float[] values = new float[57_866];
    int steps = own[0].startsWith("launcher") ? MANY_STEPS : STEPS;
    for (int step = 1; step <= steps; step++) {
      if (rank == 0) {
        if (step == FAULT_STEP && own[0].equals("kill-master")) {
          signal("-KILL");
        }
        master(values, step == FAULT_STEP && own[0].equals("kill-sending"));
        System.out.println("step " + step);
      } else {
        MPI.COMM_WORLD.Recv(values, 0, values.length, MPI.FLOAT, 0, 1);
        Thread.sleep(STEP_MILLIS);
        int length = values.length;
        boolean faulty =
            step == FAULT_STEP && (rank == FAULT_RANK || own[0].equals("kill-workers"));
        if (faulty) {
          length = happen(own[0], values);
        }
        if (faulty && own[0].equals("wrong-type")) {
          MPI.COMM_WORLD.Send(new int[length], 0, length, MPI.INT, 0, 1);
        } else {
          MPI.COMM_WORLD.Send(values, 0, length, MPI.FLOAT, 0, 1);
        }
      }
    }
    MPI.Finalize();
  }

  private static void master(float[] values, boolean sendsMore) throws Exception {
    for (int worker = 1; worker < MPI.COMM_WORLD.Size(); worker++) {
      MPI.COMM_WORLD.Send(values, 0, values.length, MPI.FLOAT, worker, 1);
    }
    for (int worker = 1; worker < MPI.COMM_WORLD.Size(); worker++) {
      float[] into = sendsMore && worker == FAULT_RANK ? new float[LONG] : values;
      MPI.COMM_WORLD.Recv(into, 0, into.length, MPI.FLOAT, worker, 1);
    }
  }

  /** Injects the fault; returns how many of the values are to be sent. */
  private static int happen(String fault, float[] values) throws Exception {
    switch (fault) {
      case "throw" -> throw new IllegalStateException("a worker's own cause");
      case "exit" -> System.exit(7);
      case "kill", "kill-workers" -> signal("-KILL");
      case "kill-sending" -> {
        later("0.05", "-KILL");
        MPI.COMM_WORLD.Send(new float[LONG], 0, LONG, MPI.FLOAT, 0, 1);
      }
      case "stop" -> signal("-STOP");
      case "stop-and-continue" -> {
        later("8", "-CONT");
        signal("-STOP");
      }
      case "slow" -> Thread.sleep(5000);
      case "nan" -> values[0] = Float.NaN;
      case "duplicate-message" -> MPI.COMM_WORLD.Send(values, 0, values.length, MPI.FLOAT, 0, 1);
      case "lost-message" -> MPI.COMM_WORLD.Recv(new float[1], 0, 1, MPI.FLOAT, 0, 2);
      default -> {
        // No fault.
      }
    }
    return fault.equals("short-message") ? values.length - 1 : values.length;
  }

  private static void later(String seconds, String signal) throws Exception {
    long pid = ProcessHandle.current().pid();
    new ProcessBuilder("sh", "-c", "sleep " + seconds + "; kill " + signal + " " + pid).start();
  }

  private static void signal(String name) throws Exception {
    String pid = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("kill", name, pid).start().waitFor();
  }
}
