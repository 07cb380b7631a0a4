package io.github.amb.bench.transport;

import io.github.amb.runtime.mpj.WorldLoader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/** MPJ Express' own {@code Send} and {@code Recv} of {@code float[]}, in a second world. */
final class PlainMpi {
  private static final int TAG = 1;

  private final Object world;
  private final Object floats;
  private final MethodHandle send;
  private final MethodHandle receive;

  /**
   * Joins the world.
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
    Class<?>[] parameters = {Object.class, int.class, int.class, type, int.class, int.class};
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    send = lookup.unreflect(world.getClass().getMethod("Send", parameters));
    receive = lookup.unreflect(world.getClass().getMethod("Recv", parameters));
  }

  void send(float[] values, int length, int to) throws Throwable {
    send.invoke(world, values, 0, length, floats, to, TAG);
  }

  void receive(float[] values, int length, int from) throws Throwable {
    receive.invoke(world, values, 0, length, floats, from, TAG);
  }
}
