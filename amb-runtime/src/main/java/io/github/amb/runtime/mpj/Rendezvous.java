package io.github.amb.runtime.mpj;

/** Where the ranks of a generation exchange the ports on which they listen. */
public interface Rendezvous {
  /**
   * Reports this rank's ports, and waits for those of all others.
   *
   * @param readPort port for connections that this rank reads from
   * @param writePort port for connections that this rank writes to
   * @return all addresses as MPJ Express reads them: {@code #Peer
   *     Information;host@readPort@writePort@rank@0;…} in rank order
   * @throws io.github.amb.core.engine.LostException if the generation does not form
   */
  String meet(int readPort, int writePort);
}
