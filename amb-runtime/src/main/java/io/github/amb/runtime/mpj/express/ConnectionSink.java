package io.github.amb.runtime.mpj.express;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** What gets the connections of ranks. */
interface ConnectionSink {
  /**
   * Takes over a connection, which is not blocking, and which no selector watches any more.
   *
   * @throws IOException if it, or who takes it, has ended
   */
  void admit(SocketChannel channel) throws IOException;
}
