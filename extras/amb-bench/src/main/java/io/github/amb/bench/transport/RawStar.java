package io.github.amb.bench.transport;

import static io.github.amb.core.engine.Clock.NEVER;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.function.Consumer;

/** Raw sockets between a master and its workers: the cost of a step without an engine. */
record RawStar(boolean master, RawSocket[] sockets) {
  /**
   * Connects the ranks; the engine sends the workers the address.
   *
   * @param capacity maximum length of a message in bytes
   */
  static RawStar connect(Communicator engine, int capacity) throws IOException {
    Message message = new Message();
    if (engine.rank() != MASTER) {
      engine.receive(MASTER, message, NEVER);
      RawSocket socket = RawSocket.connect((int) message.stat(0), capacity);
      return new RawStar(false, new RawSocket[] {socket});
    }
    RawSocket[] sockets = new RawSocket[engine.size() - 1];
    try (ServerSocketChannel server = RawSocket.listen()) {
      message.reset(Message.Kind.READY, 0).stat(0, server.socket().getLocalPort());
      engine.broadcast(message, NEVER);
      for (int i = 0; i < sockets.length; i++) {
        sockets[i] = RawSocket.accept(server, capacity);
      }
    }
    return new RawStar(true, sockets);
  }

  /**
   * One step of this rank: {@code bytes} bytes to each worker, and back.
   *
   * @param use receives each worker's floats, at the master
   */
  void step(int bytes, Consumer<FloatBuffer> use) throws IOException {
    if (!master) {
      sockets[0].receive(bytes);
      sockets[0].send(bytes);
      return;
    }
    for (RawSocket socket : sockets) {
      socket.send(bytes);
    }
    for (RawSocket socket : sockets) {
      socket.receive(bytes);
      use.accept(socket.floats);
    }
  }
}
