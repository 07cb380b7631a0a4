package io.github.amb.runtime.launch;

import io.github.amb.runtime.host.RemoteShell;
import java.net.InetAddress;
import java.util.List;

/**
 * Which rank is on which host.
 *
 * @param places by rank; empty if all ranks are on this host
 * @param shell starts ranks on other hosts; null if there are none
 */
public record RankPlacement(List<Place> places, RemoteShell shell) {
  /** All ranks on this host. */
  public static final RankPlacement HERE = new RankPlacement(List.of(), null);

  /**
   * Where a rank is.
   *
   * @param host as the remote shell knows it
   * @param address on which the rank listens and the others reach it
   * @param remote whether it takes the remote shell to start it
   */
  public record Place(String host, InetAddress address, boolean remote) {}

  public RankPlacement {
    places = List.copyOf(places);
  }

  /** Where {@code rank} is, or null if on this host like all others. */
  Place of(int rank) {
    return places.isEmpty() ? null : places.get(rank);
  }

  /** Whether it takes the remote shell to start {@code rank}. */
  boolean isRemote(int rank) {
    return !places.isEmpty() && places.get(rank).remote();
  }
}
