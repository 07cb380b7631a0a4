package io.github.amb.runtime.launch;

import io.github.amb.runtime.host.RemoteShell;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Which rank runs on which host.
 *
 * @param launcher address on which the launcher listens for its ranks
 * @param places by rank; empty if all ranks run on this host
 * @param shell starts ranks on other hosts; null if there are none
 * @param listed reads the places of workers again; null if ranks stay where they are
 */
public record RankPlacement(
    InetAddress launcher, List<Place> places, RemoteShell shell, Listed listed) {
  /** All ranks on this host. */
  public static final RankPlacement HERE =
      new RankPlacement(InetAddress.getLoopbackAddress(), List.of(), null, null);

  /**
   * Where a rank runs.
   *
   * @param host its name for the remote shell
   * @param address on which the rank listens and the others reach it
   * @param remote whether it is started by the remote shell
   */
  public record Place(String host, InetAddress address, boolean remote) {}

  /** Where workers may be now. */
  public interface Listed {
    /**
     * Reads the places of workers.
     *
     * @param warnings receives a line per place that cannot be used
     */
    List<Place> read(Consumer<String> warnings) throws IOException, InterruptedException;
  }

  public RankPlacement {
    places = List.copyOf(places);
  }

  /** This placement with a rank elsewhere. */
  RankPlacement with(int rank, Place place) {
    List<Place> changed = new ArrayList<>(places);
    changed.set(rank, place);
    return new RankPlacement(launcher, changed, shell, listed);
  }

  /** Name of the host on which {@code rank} is started by the remote shell. */
  public String host(int rank) {
    return places.get(rank).host();
  }

  /** The address on which {@code rank} listens. */
  public InetAddress address(int rank) {
    return places.isEmpty() ? launcher : places.get(rank).address();
  }

  /** The ranks of so many workers that run on this host. */
  public List<Integer> ranksHere(int workers) {
    return IntStream.rangeClosed(0, workers).filter(rank -> !isRemote(rank)).boxed().toList();
  }

  /** The hosts, for {@code run.json}; empty if all ranks run on this host. */
  public Map<String, String> describe() {
    StringJoiner ranks = new StringJoiner(", ");
    for (int rank = 0; rank < places.size(); rank++) {
      ranks.add("%s %s %s".formatted(rank, host(rank), address(rank).getHostAddress()));
    }
    return places.isEmpty() ? Map.of() : Map.of("hosts", ranks.toString());
  }

  /** Whether {@code rank} is started by the remote shell. */
  public boolean isRemote(int rank) {
    return !places.isEmpty() && places.get(rank).remote();
  }
}
