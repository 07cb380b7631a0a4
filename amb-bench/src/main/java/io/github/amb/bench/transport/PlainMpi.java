package io.github.amb.bench.transport;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.runtime.mpj.WorldLoader;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/** MPJ Express' own operations on {@code float[]}, in a second process group. */
final class PlainMpi {
  private final Object world;
  private final Object floats;
  private final MethodHandle broadcast;
  private final MethodHandle reduce;
  private final Object sum;

  /**
   * Joins the process group.
   *
   * @param args rank, configuration, device
   */
  PlainMpi(String[] args) throws ReflectiveOperationException, MalformedURLException {
    URL jar = WorldLoader.findJar().toUri().toURL();
    ClassLoader loader =
        new URLClassLoader("plain-mpi", new URL[] {jar}, PlainMpi.class.getClassLoader());
    Class<?> mpi = loader.loadClass("mpi.MPI");
    mpi.getMethod("Init", String[].class).invoke(null, (Object) args);
    world = mpi.getField("COMM_WORLD").get(null);
    floats = mpi.getField("FLOAT").get(null);
    Class<?> type = loader.loadClass("mpi.Datatype");
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    Class<?> intracomm = loader.loadClass("mpi.Intracomm");
    Class<?> operation = loader.loadClass("mpi.Op");
    sum = mpi.getField("SUM").get(null);
    broadcast =
        lookup.unreflect(
            intracomm.getMethod("Bcast", Object.class, int.class, int.class, type, int.class));
    reduce =
        lookup.unreflect(
            intracomm.getMethod(
                "Reduce",
                Object.class,
                int.class,
                Object.class,
                int.class,
                int.class,
                type,
                operation,
                int.class));
  }

  /** Joins a process group of the engine's ranks; the master sends the workers the address. */
  static PlainMpi connect(Communicator engine) throws ReflectiveOperationException, IOException {
    String rank = Integer.toString(engine.rank());
    Message message = new Message();
    if (engine.rank() == Communicator.MASTER) {
      try (PlainRendezvous rendezvous = new PlainRendezvous(engine.size())) {
        message.reset(Message.Kind.READY, 0).stat(0, rendezvous.port());
        engine.broadcast(message, Clock.NEVER);
        String configuration = PlainRendezvous.configuration(engine.size(), rendezvous.port());
        return new PlainMpi(new String[] {rank, configuration, "niodev"});
      }
    }
    engine.receive(Communicator.MASTER, message, Clock.NEVER);
    String configuration = PlainRendezvous.configuration(engine.size(), (int) message.stat(0));
    return new PlainMpi(new String[] {rank, configuration, "niodev"});
  }

  /** Broadcasts from {@code root} to all ranks. */
  void broadcast(float[] values, int root) throws Throwable {
    broadcast.invoke(world, values, 0, values.length, floats, root);
  }

  /** Sums all ranks' values at {@code root}; {@code total} is modified at every rank. */
  void reduce(float[] values, float[] total, int root) throws Throwable {
    reduce.invoke(world, values, 0, total, 0, values.length, floats, sum, root);
  }
}
