import mpi.MPI;

/**
 * Synchronous training's messages by MPJ Express alone, for {@code scripts/fault-matrix}: 40 steps in
 * which the master sends a vector to every worker and receives one from each. In step 11 the fault
 * that the first argument names happens to rank 2, or to those that it is about.
 */
final class PlainMpj {
  private static final int STEPS = 40;
  private static final int FAULT_STEP = 11;
  private static final int FAULT_RANK = 2;
  private static final long STEP_MILLIS = 50;

  private PlainMpj() {}

  public static void main(String[] args) throws Exception {
    String[] own = MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    float[] values = new float[57_866];
    for (int step = 1; step <= STEPS; step++) {
      if (rank == 0) {
        if (step == FAULT_STEP && own[0].equals("kill-master")) {
          signal("-KILL");
        }
        master(values);
        System.out.println("step " + step);
      } else {
        MPI.COMM_WORLD.Recv(values, 0, values.length, MPI.FLOAT, 0, 1);
        Thread.sleep(STEP_MILLIS);
        int length = values.length;
        boolean faulty = step == FAULT_STEP && (rank == FAULT_RANK || own[0].equals("kill-workers"));
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

  private static void master(float[] values) throws Exception {
    for (int worker = 1; worker < MPI.COMM_WORLD.Size(); worker++) {
      MPI.COMM_WORLD.Send(values, 0, values.length, MPI.FLOAT, worker, 1);
    }
    for (int worker = 1; worker < MPI.COMM_WORLD.Size(); worker++) {
      MPI.COMM_WORLD.Recv(values, 0, values.length, MPI.FLOAT, worker, 1);
    }
  }

  /** Returns how much of the values is to be sent. */
  private static int happen(String fault, float[] values) throws Exception {
    switch (fault) {
      case "throw" -> throw new IllegalStateException("a worker's own cause");
      case "exit" -> System.exit(7);
      case "kill", "kill-workers" -> signal("-KILL");
      case "stop" -> signal("-STOP");
      case "stop-and-continue" -> {
        new ProcessBuilder("sh", "-c", "sleep 8; kill -CONT " + ProcessHandle.current().pid()).start();
        signal("-STOP");
      }
      case "slow" -> Thread.sleep(5000);
      case "nan" -> values[0] = Float.NaN;
      case "duplicate-frame" -> MPI.COMM_WORLD.Send(values, 0, values.length, MPI.FLOAT, 0, 1);
      case "lost-frame" -> MPI.COMM_WORLD.Recv(new float[1], 0, 1, MPI.FLOAT, 0, 2);
      default -> {
        // Nothing is to happen.
      }
    }
    return fault.equals("short-frame") ? values.length - 1 : values.length;
  }

  private static void signal(String name) throws Exception {
    String pid = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("kill", name, pid).start().waitFor();
  }
}
