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
import java.util.List;
import java.util.Map;

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
    try {
      Map<String, InetAddress> addresses =
          new HostSurvey(settings, shell, bind, master, limit).addresses(others);
      return placement(slots, master, addresses, shell);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while hosts were checked", e);
    }
  }

  private static RankPlacement placement(
      List<String> slots,
      InetAddress master,
      Map<String, InetAddress> addresses,
      RemoteShell shell) {
    List<RankPlacement.Place> places = new ArrayList<>();
    for (String host : slots) {
      boolean remote = !host.equals(slots.get(0));
      places.add(new RankPlacement.Place(host, remote ? addresses.get(host) : master, remote));
    }
    return new RankPlacement(master, places, shell);
  }
}
