import mpi.MPI;

/**
 * Synchronous training's messages by MPJ Express alone, for {@code scripts/fault-matrix}: 40 steps in
 * which the master sends a vector to every worker and receives one from each. In step 11 the fault
 * that the first argument names happens to rank 2.
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
        master(values);
        System.out.println("step " + step);
      } else {
        MPI.COMM_WORLD.Recv(values, 0, values.length, MPI.FLOAT, 0, 1);
        Thread.sleep(STEP_MILLIS);
        if (rank == FAULT_RANK && step == FAULT_STEP) {
          happen(own[0]);
        }
        MPI.COMM_WORLD.Send(values, 0, values.length, MPI.FLOAT, 0, 1);
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

  private static void happen(String fault) throws Exception {
    switch (fault) {
      case "throw" -> throw new IllegalStateException("a worker's own cause");
      case "exit" -> System.exit(7);
      case "abort" -> MPI.COMM_WORLD.Abort(5);
      case "kill" -> signal("-KILL");
      case "stop" -> signal("-STOP");
      case "lost-frame" -> MPI.COMM_WORLD.Recv(new float[1], 0, 1, MPI.FLOAT, 0, 2);
      default -> {
        // Nothing is to happen.
      }
    }
  }

  private static void signal(String name) throws Exception {
    String pid = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("kill", name, pid).start().waitFor();
  }
}
