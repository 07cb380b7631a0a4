package io.github.amb.bench.transport;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.runtime.mpj.WorldLoader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.stream.Stream;

/** MPJ Express' own operations on {@code float[]}, in a second process group. */
final class PlainMpi {
  private static final int STOCK_EAGER_BYTES = 128 << 10;

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
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    Class<?> intracomm = loader.loadClass("mpi.Intracomm");
    sum = mpi.getField("SUM").get(null);
    broadcast = lookup.unreflect(method(intracomm, "Bcast"));
    reduce = lookup.unreflect(method(intracomm, "Reduce"));
  }

  private static Method method(Class<?> type, String name) {
    return Stream.of(type.getMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Joins a process group of the engine's ranks; the master sends the workers the address. */
  static PlainMpi connect(Communicator engine) throws ReflectiveOperationException, IOException {
    Message message = new Message();
    if (engine.rank() != Communicator.MASTER) {
      engine.receive(Communicator.MASTER, message, Clock.NEVER);
      return join(engine, (int) message.stat(0));
    }
    try (var server = new ServerSocket(0, engine.size(), InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> introduce(server, engine.size()), "rendezvous");
      thread.setDaemon(true);
      thread.start();
      message.reset(Message.Kind.READY, 0).stat(0, server.getLocalPort());
      engine.broadcast(message, Clock.NEVER);
      return join(engine, server.getLocalPort());
    }
  }

  private static PlainMpi join(Communicator engine, int port)
      throws ReflectiveOperationException, MalformedURLException {
    String configuration =
        format(
            "#Number of Processes;%d;#Protocol Switch Limit;%d;#Server Name;127.0.0.1;#Server"
                + " Port;%d",
            engine.size(), STOCK_EAGER_BYTES, port);
    return new PlainMpi(new String[] {Integer.toString(engine.rank()), configuration, "niodev"});
  }

  /**
   * The rendezvous of plain MPJ Express' ranks, without authentication. A rank sends the string
   * "Sending Info" and three ints: write port, read port and rank. When all have done so, each
   * receives {@code #Peer Information;host@readPort@writePort@rank@0;…} in rank order.
   */
  private static void introduce(ServerSocket server, int ranks) {
    Socket[] sockets = new Socket[ranks];
    String[] entries = new String[ranks];
    try {
      for (int met = 0; met < ranks; met++) {
        Socket socket = server.accept();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.readUTF();
        int writePort = in.readInt();
        int readPort = in.readInt();
        int rank = in.readInt();
        entries[rank] = ";127.0.0.1@" + readPort + "@" + writePort + "@" + rank + "@0";
        sockets[rank] = socket;
      }
      String everyone = "#Peer Information" + String.join("", entries);
      for (Socket socket : sockets) {
        try (socket) {
          new DataOutputStream(socket.getOutputStream()).writeUTF(everyone);
        }
      }
    } catch (IOException e) {
      // A rank ended while it waited; its exit code says why.
    }
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
