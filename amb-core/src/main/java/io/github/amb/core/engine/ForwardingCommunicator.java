package io.github.amb.core.engine;

/**
 * Forwards all calls to another communicator. Subclasses look at the messages in {@link #sending}
 * and {@link #received}, or override other methods.
 */
public abstract class ForwardingCommunicator implements Communicator {
  private final Communicator communicator;

  /** Numbers of the ranks in the run, by rank; null where the communicator knows them. */
  protected final int[] members;

  protected ForwardingCommunicator(Communicator communicator) {
    this(communicator, null);
  }

  /**
   * @param communicator what does the work
   * @param members numbers of the ranks in the run, by rank
   */
  protected ForwardingCommunicator(Communicator communicator, int[] members) {
    this.communicator = communicator;
    this.members = members;
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
  public int number(int rank) {
    return members == null ? communicator.number(rank) : members[rank];
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
  public boolean relays() {
    return communicator.relays();
  }

  @Override
  public boolean exchange(Message message) {
    return communicator.exchange(message);
  }

  /**
   * Called before a message is passed on.
   *
   * @param to rank of the receiver, or {@link #ANY} for all other ranks
   * @param message may be modified
   */
  protected void sending(int to, Message message) {}

  /**
   * Called with each message that is received.
   *
   * @param message may be modified
   * @return false to wait for the next one in its place, until the same deadline
   */
  protected boolean received(Message message) {
    return true;
  }

  @Override
  public void send(int to, Message message, long deadline) {
    sending(to, message);
    communicator.send(to, message, deadline);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    sending(ANY, message);
    communicator.broadcast(message, deadline);
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    boolean came = communicator.receive(from, into, deadline);
    while (came && !received(into)) {
      came = communicator.receive(from, into, deadline);
    }
    return came;
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
