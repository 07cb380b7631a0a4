package io.github.amb.runtime.control;

import io.github.amb.core.file.Reading;
import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.net.Channel;
import io.github.amb.runtime.net.Gate;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The launcher's ends of the connections to its ranks, all on one thread. */
public final class ControlServer implements AutoCloseable {
  private static final int BACKLOG = 1024;

  private final ControlTimes times;
  private final Gate gate;
  private final Gate.Host ranks = new Ranks();
  private final List<SocketAddress> places = new ArrayList<>();
  private final Map<Channel.Name, ControlLine> lines = new ConcurrentHashMap<>();
  private String here;
  private String network;
  private long beaten = System.nanoTime();

  /**
   * Starts to listen.
   *
   * @param address for ranks on other hosts, and for ranks here if {@code files} is false or files
   *     do not work
   * @param remote whether there are ranks on other hosts
   * @param files whether ranks here connect to a file instead of a port
   */
  public ControlServer(
      InetAddress address,
      boolean remote,
      boolean files,
      RunSecret secret,
      ControlTimes times,
      RejectedConnections rejected)
      throws IOException {
    this.times = times;
    gate = new Gate("control", secret, times.greeting(), rejected::add);
    if (files) {
      here = listenHere();
    }
    if (remote || here == null) {
      network = listen(ControlPlace.listen(address, BACKLOG));
    }
    if (here == null) {
      here = network;
    }
  }

  /**
   * Listens at a file, which other users cannot access and which needs no network; null if that
   * does not work.
   */
  private String listenHere() {
    return Reading.orElse(null, () -> listen(ControlPlace.listenHere(BACKLOG)));
  }

  private String listen(ServerSocketChannel server) throws IOException {
    places.add(server.getLocalAddress());
    gate.watch(server, ranks);
    return ControlPlace.text(server.getLocalAddress());
  }

  /**
   * Where a rank connects, in one word.
   *
   * @param remote whether the rank runs on another host
   */
  public String place(boolean remote) {
    return remote ? network : here;
  }

  /**
   * Expects a process from now on.
   *
   * @param rank its number in the run
   * @param start how often the rank was started before
   * @param listener receives its records
   * @return the process' line
   */
  public ControlLine expect(int rank, int start, ControlLine.Listener listener) {
    Channel.Name name = new Channel.Name(rank, start, false);
    ControlLine line = new ControlLine(name, RankReport.class, listener, gate::wake);
    lines.put(name, line);
    return line;
  }

  /** Forgets a process that has ended; connections in its name are rejected. */
  public void forget(ControlLine line) {
    lines.remove(line.name, line);
  }

  /** Why the server's thread has ended; null while it runs. */
  public Throwable failure() {
    return gate.failure();
  }

  /** Ends all connections. When it returns, the file is gone. */
  @Override
  public void close() {
    gate.close();
    places.forEach(ControlPlace::remove);
  }

  private final class Ranks implements Gate.Host {
    @Override
    public String purpose() {
      return ControlLine.PURPOSE;
    }

    @Override
    public boolean expects(Channel.Name name) {
      return lines.containsKey(name);
    }

    @Override
    public boolean heard(Channel channel, byte[] content) throws IOException {
      ControlLine line = lines.get(channel.name());
      if (line == null) {
        throw new EOFException("its process has ended");
      }
      Channel older = line.channel();
      line.hear(channel, content);
      if (older != null && older != channel) {
        gate.remove(older); // Its rank has connected again, even if it seems intact.
      }
      return true;
    }

    @Override
    public void ended(Channel channel) {
      ControlLine line = lines.get(channel.name());
      if (line != null) {
        line.ended(channel);
      }
    }

    @Override
    public void looks() {
      boolean beat = System.nanoTime() - beaten > times.heartbeat().toNanos();
      beaten = beat ? System.nanoTime() : beaten;
      for (ControlLine line : lines.values()) {
        Channel channel = line.channel();
        try {
          if (beat) {
            line.beat();
          }
          line.write();
        } catch (IOException | CancelledKeyException e) {
          gate.remove(channel);
        }
      }
    }
  }
}
