package io.github.amb.runtime.mpj.express;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.mpj.MessageMemory;
import io.github.amb.runtime.mpj.MpjWorld;
import io.github.amb.runtime.mpj.Rendezvous;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;
import mpjbuf.Buffer;
import mpjdev.MPJDev;
import xdev.Device;
import xdev.hybdev.HYBDevice;

/** The process group that {@link MPI#Init} formed. */
public final class ExpressWorld implements MpjWorld {
  private static final String NIODEV = "niodev";
  private static final String HYBDEV = "hybdev";
  private static final String SELECTOR = "selectorThreadStarter";
  private static final String RANKS = "#Number of Processes";
  private static final String SERVER_NAME = "#Server Name";
  private static final String SERVER_PORT = "#Server Port";
  private static final String SWITCH_LIMIT = "#Protocol Switch Limit";
  private static final long LEAVE_MILLIS = 1000;

  private final mpjdev.Comm comm;
  private final ExpressSender sender;
  private final String device;
  private final int rank;
  private final int size;
  private final int eagerLimit;
  private final List<String> remaining;
  private final Thread selector;
  private final SpinYield spin;
  private final List<String> rejected;

  private ExpressWorld(int generation, String[] args) throws MPIException {
    device = args[2];
    spin = device.equals(NIODEV) ? SpinYield.install() : null;
    eagerLimit = eagerLimit(args[1]);
    if (spin != null) {
      BoundAddress.chooseToReach(
          new InetSocketAddress(
              configured(args[1], SERVER_NAME),
              Integer.parseInt(configured(args[1], SERVER_PORT))));
      int ranks = Integer.parseInt(configured(args[1], RANKS));
      AuthenticatedConnections.open(generation, Integer.parseInt(args[0]), ranks);
    }
    remaining = List.of(MPI.Init(args));
    rejected = spin == null ? List.of() : AuthenticatedConnections.close();
    comm = MPI.COMM_WORLD.mpjdevComm;
    sender = new ExpressSender(comm);
    rank = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
    selector = selector();
    if (spin != null) {
      spin.watch(selector);
      DeviceBuffers.limit(eagerLimit + Buffer.SECTION_OVERHEAD);
    }
  }

  /**
   * Forms the process group.
   *
   * @param generation number of the generation, from 1
   * @param args what MPJ Express' launcher passed to {@code main}
   * @param meeting where ranks of niodev exchange their ports; null for MPJ Express' own place
   * @return the process group
   * @throws LostException if a connection with another rank broke
   */
  public static MpjWorld join(int generation, String[] args, Rendezvous meeting) {
    MpjWorld world = null;
    try {
      RendezvousSocket.at(meeting);
      world = new ExpressWorld(generation, args);
      return world;
    } catch (MPIException e) {
      throw new LostException("MPI.Init failed: " + e.getMessage(), e);
    } catch (BoundAddress.JoinError e) {
      throw new EngineException(e.getMessage(), e);
    } finally {
      if (world == null && args[2].equals(NIODEV)) {
        leaveUnfinished(); // A thread that abandoned it earlier could not close what niodev has
        // opened since.
      }
    }
  }

  /**
   * Ends the process group of niodev that another thread is forming.
   *
   * @return rejected connections, like {@link #rejected}
   */
  public static List<String> leaveUnfinished() {
    BoundAddress.reject();
    Device device = mpjdev.javampjdev.MPJDev.dev;
    if (device != null) {
      DeviceChannels.close(device);
    }
    return AuthenticatedConnections.close();
  }

  /** The thread on which niodev receives, or null if no rank is reached through niodev. */
  private Thread selector() {
    Device network =
        switch (device) {
          case NIODEV -> MPJDev.dev;
          case HYBDEV -> HYBDevice.nioHybDev;
          default -> null;
        };
    return network == null ? null : (Thread) DeviceChannels.value(network, SELECTOR);
  }

  private static int eagerLimit(String configuration) {
    String limit = configured(configuration, SWITCH_LIMIT);
    return (limit == null ? Integer.MAX_VALUE : Integer.parseInt(limit)) - Buffer.SECTION_OVERHEAD;
  }

  private static String configured(String configuration, String name) {
    String[] tokens = configuration.split(";");
    for (int i = 0; i + 1 < tokens.length; i++) {
      if (tokens[i].equals(name)) {
        return tokens[i + 1];
      }
    }
    return null;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public List<String> remaining() {
    return remaining;
  }

  @Override
  public int overhead() {
    return ExpressSender.room();
  }

  @Override
  public int receivingRoom() {
    return SelectorReceiver.room();
  }

  @Override
  public byte[] key(int peer, boolean outgoing) {
    return spin == null ? null : AuthenticatedConnections.key(peer, outgoing);
  }

  @Override
  public int eagerLimit() {
    return eagerLimit;
  }

  @Override
  public boolean asksForMemory() {
    return spin != null;
  }

  @Override
  public void send(int to, MessageMemory memory, int bytes) throws IOException {
    sender.send(to, memory, bytes);
  }

  @Override
  public void listen(int capacity, int aligned, Listener listener) {
    for (int from = 0; from < size; from++) {
      if (from == rank) {
        continue;
      }
      if (spin != null) {
        new SelectorReceiver(comm, from, capacity, aligned, listener, spin).post();
      } else {
        Daemon.start(
            "mpj-receive-" + from, new WaitingReceiver(comm, from, capacity, aligned, listener));
      }
    }
    if (selector != null) {
      Daemon.start("mpj-watch", () -> awaitSelector(listener));
    }
  }

  /**
   * Waits for the end of the device's thread, as the device does not report its failure otherwise.
   */
  private void awaitSelector(Listener listener) {
    if (Waits.run(selector::join)) {
      listener.ended(DeviceSystem.complaint());
    }
  }

  @Override
  public void leave() {
    Thread thread = Daemon.start("mpj-finalize", ExpressWorld::finish);
    Waits.run(() -> thread.join(LEAVE_MILLIS));
  }

  @Override
  public List<String> rejected() {
    return rejected;
  }

  @Override
  public void abandon() {
    if (device.equals(NIODEV)) {
      DeviceChannels.close(MPJDev.dev);
    }
  }

  private static void finish() {
    try {
      MPI.Finalize();
    } catch (RuntimeException e) {
      // Another rank closed its connections first; this rank is leaving, too.
    }
  }
}
