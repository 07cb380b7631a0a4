package io.github.amb.core.engine;

/** Forwards all calls to another communicator; subclasses override some of them. */
public abstract class ForwardingCommunicator implements Communicator {
  private final Communicator communicator;

  protected ForwardingCommunicator(Communicator communicator) {
    this.communicator = communicator;
  }

  @Override
  public int rank() {
    return communicator.rank();
  }

  @Override
  public int size() {
    return communicator.size();
  }

  @Override
  public boolean lend(int to, Message message, int length) {
    return communicator.lend(to, message, length);
  }

  @Override
  public boolean reduces(int length) {
    return communicator.reduces(length);
  }

  @Override
  public void send(int to, Message message, long deadline) {
    communicator.send(to, message, deadline);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    communicator.broadcast(message, deadline);
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    return communicator.receive(from, into, deadline);
  }

  @Override
  public int room(int length) {
    return communicator.room(length);
  }

  @Override
  public int lastReceived() {
    return communicator.lastReceived();
  }

  @Override
  public void hold(int source, int floats, boolean held) {
    communicator.hold(source, floats, held);
  }

  @Override
  public long bytesSent() {
    return communicator.bytesSent();
  }

  @Override
  public long bytesReceived() {
    return communicator.bytesReceived();
  }

  @Override
  public void close() {
    communicator.close();
  }
}
