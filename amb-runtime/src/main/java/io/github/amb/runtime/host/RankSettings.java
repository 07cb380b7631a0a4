package io.github.amb.runtime.host;

import static io.github.amb.core.option.Setting.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Setting.Role;
import io.github.amb.core.topology.Topology;

/** The options of the ranks, as processes of hosts. */
public interface RankSettings {
  /** Values of {@link #ENGINE}. */
  String MPJ = "mpj";

  String OPENMPI = "openmpi";

  String SIM = "sim";

  /** A value of {@link #SHARED_MEMORY}; the other one is {@code none}. */
  String HOST = "host";

  Setting<Integer> WORKERS =
      integer("workers", 2, 0, 10_000)
          .help("worker processes; 0 trains in this process without MPI");
  Setting<String> ENGINE =
      oneOf("engine", MPJ, OPENMPI, SIM)
          .help(
              "processes over MPJ Express or the site's own MPI, or threads of this process in virtual"
                  + " time");
  Setting<String> TOPOLOGY =
      oneOf("topology", Topology.names().toArray(String[]::new))
          .help(
              "the way of vectors: each between the master and each worker, or in slices among workers,"
                  + " so that no link carries more than about two vectors a step");
  Setting<String> HOSTS =
      path("hosts", null)
          .in("a file, one host a line, the master's first; 'HOST slots=4' for several ranks")
          .help("where the ranks are; read again after SIGHUP; default: all on this host")
          .as(Role.ORDER);
  Setting<String> REMOTE_SHELL =
      text("remote-shell", RemoteShell.SSH)
          .in("a command that takes a host and a program")
          .help("starts ranks on other hosts")
          .as(Role.ORDER);
  Setting<String> BIND =
      text("bind", null)
          .in("an address of the master, or an interface or network (10.0.0.0/24) of every host")
          .help("where ranks listen; default: the address from which a host reaches the others")
          .as(Role.ORDER);
  Setting<String> SHARED_MEMORY =
      oneOf("shared-memory", HOST, "none")
          .help(
              "large payloads between ranks of one host stay in memory; none: all through sockets");
  Setting<String> ENCRYPT =
      oneOf("encrypt", "off", "on")
          .help("engine mpj: encrypt messages between ranks through sockets, by AES-256-GCM")
          .implying("on");
  Setting<String> PLUGINS =
      text("plugins", null)
          .in("jars, or directories of jars, joined by commas; the same on every host")
          .help(
              "what adds schemes, codecs and the like to the program; default: its plugins directory")
          .as(Role.ORDER);
  Setting<Double> START_LIMIT =
      positive("start-limit", 180.0)
          .in("seconds above 0, up to 1000000", v -> v <= 1e6)
          .help("limit for the start of all ranks");
  Setting<Integer> MASTER_HEAP =
      integer("master-heap", 1024, 64, 1_000_000).help("engine mpj: MB of Java heap of the master");
  Setting<Integer> WORKER_HEAP =
      integer("worker-heap", 256, 64, 1_000_000).help("engine mpj: MB of Java heap of a worker");
}
