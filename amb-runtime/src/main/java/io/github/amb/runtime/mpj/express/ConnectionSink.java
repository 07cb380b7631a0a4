package io.github.amb.runtime.mpj.express;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Receives the authenticated connections of ranks. */
interface ConnectionSink {
  /**
   * Takes over a connection that is non-blocking and not registered with any selector.
   *
   * @throws IOException if the connection, or its new owner, has ended
   */
  void admit(SocketChannel channel) throws IOException;
}
