package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.host.BindAddress;
import io.github.amb.runtime.host.HostFile;
import io.github.amb.runtime.host.RemoteShell;
import io.github.amb.runtime.launch.RankPlacement;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Finds the hosts of a run with {@code --hosts}, and places its ranks on them. */
final class HostPlan {
  private HostPlan() {}

  /**
   * Settings in which the number of workers, unless typed, is that of the host file's free slots;
   * unchanged without {@code --hosts}.
   *
   * @param problems receives a line for each contradiction among options
   * @throws UsageException if the host file is invalid or too short
   */
  static Settings complete(Settings settings, List<String> problems) {
    if (!settings.has(HOSTS)) {
      for (Setting<?> setting : List.of(REMOTE_SHELL, BIND)) {
        if (!settings.isDefault(setting)) {
          problems.add(
              "--%s: expected --hosts FILE beside it, found none".formatted(setting.name()));
        }
      }
      return settings;
    }
    if (!settings.get(ENGINE).equals(MPJ)) {
      problems.add("--hosts: expected --engine mpj, found " + settings.get(ENGINE));
    }
    int slots = HostFile.slots(Path.of(settings.get(HOSTS))).size();
    if (settings.has(WORKERS) && (settings.get(WORKERS) >= slots || settings.get(WORKERS) == 0)) {
      problems.add(
          "--workers: expected 1 to %d, the slots in %s without the master's, found %d"
              .formatted(slots - 1, settings.get(HOSTS), settings.get(WORKERS)));
    }
    return settings.has(WORKERS) ? settings : settings.with(WORKERS, slots - 1);
  }

  /**
   * Finds every host's address, and checks that program, data and options are equal on all hosts.
   *
   * @param settings completed by {@link #complete}
   * @return all ranks on this host without {@code --hosts}
   * @throws UsageException with all problems of all hosts
   */
  static RankPlacement of(Settings settings) throws IOException {
    if (!settings.has(HOSTS)) {
      return RankPlacement.HERE;
    }
    List<String> slots =
        HostFile.slots(Path.of(settings.get(HOSTS))).subList(0, settings.get(WORKERS) + 1);
    String bind = settings.get(BIND);
    InetAddress master = BindAddress.ofMaster(bind, slots);
    RemoteShell shell = RemoteShell.parse(settings.get(REMOTE_SHELL));
    List<String> others =
        slots.stream().distinct().filter(host -> !host.equals(slots.get(0))).toList();
    long limit = (long) (settings.get(START_LIMIT) * 1e3);
    HostSurvey survey = new HostSurvey(settings, shell, bind, master, limit);
    try {
      Map<String, InetAddress> addresses = new HashMap<>(survey.addresses(others));
      RankPlacement.Listed listed = warnings -> listed(survey, slots.get(0), addresses, warnings);
      return new RankPlacement(master, places(slots, master, addresses), shell, listed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while hosts were checked", e);
    }
  }

  private static List<RankPlacement.Place> places(
      List<String> slots, InetAddress master, Map<String, InetAddress> addresses) {
    List<RankPlacement.Place> places = new ArrayList<>();
    for (String host : slots) {
      boolean remote = !host.equals(slots.get(0));
      places.add(new RankPlacement.Place(host, remote ? addresses.get(host) : master, remote));
    }
    return places;
  }

  /**
   * The places of workers in the host file as it is now.
   *
   * @param first the master's host
   * @param known addresses of hosts that were checked; modified
   * @param warnings receives the problems of hosts that get no worker
   * @throws UsageException if the host file is invalid, or the master's host is not the first
   */
  private static List<RankPlacement.Place> listed(
      HostSurvey survey, String first, Map<String, InetAddress> known, Consumer<String> warnings)
      throws IOException, InterruptedException {
    String file = survey.settings().get(HOSTS);
    List<String> slots = HostFile.slots(Path.of(file));
    if (!slots.get(0).equals(first)) {
      throw new UsageException(
          "--hosts: %s: expected %s, the master's, first, found %s", file, first, slots.get(0));
    }
    List<String> problems = new ArrayList<>();
    Predicate<String> isKnown = host -> host.equals(first) || known.containsKey(host);
    List<String> unknown = slots.stream().distinct().filter(isKnown.negate()).toList();
    if (!unknown.isEmpty()) {
      known.putAll(survey.addresses(unknown, problems));
      problems.forEach(warnings);
    }
    List<RankPlacement.Place> places =
        places(slots.stream().filter(isKnown).toList(), survey.master(), known);
    return places.subList(1, places.size());
  }
}
