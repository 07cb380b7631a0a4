package io.github.amb.runtime.mpj;

/** Where the ranks of a world tell each other on which ports they listen. */
public interface Rendezvous {
  /**
   * Says where this rank listens, and waits until all others have.
   *
   * @return everyone's places as MPJ Express reads them: {@code #Peer
   *     Information;host@readPort@writePort@rank@0;…} in rank order
   * @throws io.github.amb.core.engine.LostException if the world does not come about
   */
  String meet(int readPort, int writePort);
}
