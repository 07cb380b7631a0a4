package io.github.amb.runtime.system;

import static io.github.amb.runtime.system.Trial.TOY;

import io.github.amb.runtime.launch.Listening;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Rows of the fault matrix: networks, links, ports, and unauthenticated peers. */
class LinksMatrixTest extends MatrixTest {
  private static final String MALFORMED = "malformed message";
  private static final byte[] WEB = "GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);

  /** The greeting of rank 2 in MPJ Express' protocol. */
  private static final byte[] RANK_2 =
      "\u00ff\u00ff\u00ff\u00eb\0\0\0\2SixteenBytesOfId".getBytes(StandardCharsets.ISO_8859_1);

  static List<FaultRow> rows() {
    List<FaultRow> rows = new ArrayList<>(links());
    rows.addAll(ports());
    rows.addAll(strangers());
    return rows;
  }

  private static List<FaultRow> links() {
    String run = "--last-step 80 --induce 0.05,0,1";
    return List.of(
        FaultRow.of(
                11,
                "cut-network",
                "after step 10 `ip link set lo down`, `up` once all ranks have waited; `--stall-after 8`",
                0,
                "as all ranks wait for each other",
                LinksMatrixTest::cutNetwork)
            .alone("cut"),
        badLink(12, "slow-lossy-link", "0.1 0.01", "--last-step 40", "step = 40"),
        badLink(14, "flipped-bits", "0 0.01 flip", run, MALFORMED),
        badLink(14, "message-of-2gb", "0 0.05 101", run, MALFORMED),
        badLink(14, "mpj-message-of-2gb", "0 0.02 28", run, "found one of 2147483519"),
        badLink(15, "unknown-kind", "0 0.05 97", run, MALFORMED + ": expected kind"),
        badLink(
            15, "other-version", "0 0.05 89=7", run, MALFORMED + ": expected a header of version"));
  }

  private static void cutNetwork(Trial trial) throws Exception {
    String run = TOY + "--last-step 40 --stall-after 8 --start-limit 200";
    trial.during(
        Namespace.network(AmbProcess.line(run)),
        amb -> {
          Namespace.loopback(amb.pid(), "down");
          trial.awaitLine(amb, "as all ranks wait for each other");
          Namespace.loopback(amb.pid(), "up");
        });
  }

  /** A row about a relay between two hosts; if it changes bytes, then from step 10 on. */
  private static FaultRow badLink(
      int number, String name, String how, String options, String said) {
    return FaultRow.of(
        number,
        name,
        "a relay at worker 2; its delay in s, part of the segments spoilt, how: `" + how + "`",
        0,
        said,
        trial -> {
          Path program = CProgram.program(trial.home(), "relay");
          try (NetworkHosts hosts = NetworkHosts.up(trial.home(), 3)) {
            ProcessHandle relay = hosts.relay(3, program, how.split(" "));
            trial.during(
                hosts.line("train toy fmb rms 16 --evaluate last " + options),
                amb -> AmbProcess.signal("USR1", relay));
          }
        });
  }

  private static List<FaultRow> ports() {
    return List.of(
        FaultRow.of(
                18,
                "no-port",
                "somebody listens on all ports from 25000 to 40000",
                1,
                "expected a free port from",
                trial ->
                    trial.run(
                        Namespace.withoutPorts(
                            25_000, 40_000, AmbProcess.line(TOY + "--last-step 20"))))
            .alone("no-port"),
        FaultRow.of(
            18,
            "mpjrun-no-port",
            "somebody listens on all ports from 10000 to 24999",
            2,
            "that nobody listens on",
            trial ->
                trial.run(Namespace.withoutPorts(10_000, 24_999, BadStartMatrixTest.mpjrun(3)))));
  }

  private static List<FaultRow> strangers() {
    String connects = "whoever connects to every port of ranks 0 and 1 while they meet and says ";
    String asRank = connects + "that it is rank 2";
    return List.of(
        FaultRow.of(
                19,
                "strangers",
                connects + "`GET / HTTP/1.1`",
                0,
                "that were not authenticated",
                trial -> strangers(trial, WEB))
            .alone("strangers"),
        FaultRow.of(
            19,
            "strangers-as-rank-2",
            asRank,
            0,
            "that were not authenticated",
            trial -> strangers(trial, RANK_2)),
        FaultRow.of(
            19,
            "strangers-at-resume",
            "after step 10 `kill -9` of rank 0, then `--resume`, and " + asRank,
            0,
            "the same final bits",
            LinksMatrixTest::strangersAtResume));
  }

  private static void strangers(Trial trial, byte[] words) throws Exception {
    AmbProcess amb = trial.start("train toy fmb rms 16 --last-step 20 " + waiting(trial));
    greet(trial, amb, words);
    trial.awaitEnd(amb);
  }

  private static void strangersAtResume(Trial trial) throws Exception {
    String run =
        "train toy fmb rms 16 --workers 2 --induce 0.05,0,1 --evaluate last --last-step 60";
    trial.during(run + " --checkpoint-every 3", amb -> amb.rank(0).destroyForcibly());
    trial.assertAtMostOld(3);
    trial.resume(waiting(trial), amb -> greet(trial, amb, RANK_2));
    trial.assertSameBits(run);
  }

  /** Options with which rank 2 starts only when a file named gate exists. */
  private static String waiting(Trial trial) throws IOException {
    Path hosts = trial.home().resolve("hosts");
    Files.writeString(hosts, "127.0.0.1\n127.0.0.2\n127.0.0.3\n");
    Path shell = trial.home().resolve("shell");
    Files.writeString(
        shell,
        """
        #!/bin/bash
        [ "$1" = 127.0.0.3 ] || { shift; exec "$@"; }
        script=$(sed -u '/^exec/q')
        [[ $script != *runtime.Train* ]] || until [ -e %s ]; do sleep 0.05; done
        exec bash -c "$script"
        """
            .formatted(gate(trial)));
    Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
    return "--hosts " + hosts + " --remote-shell " + shell;
  }

  private static Path gate(Trial trial) {
    return trial.home().resolve("gate");
  }

  private static void greet(Trial trial, AmbProcess amb, byte[] words) throws Exception {
    List<ProcessHandle> ranks = new ArrayList<>();
    for (int rank : List.of(0, 1)) {
      amb.awaitWhileRunning(() -> isListening(amb, rank), "ports of rank " + rank);
      ranks.add(amb.rank(rank));
    }
    trial.acts();
    List<Socket> strangers = new ArrayList<>();
    for (InetSocketAddress port : Listening.sockets(ranks)) {
      Socket stranger = new Socket(port.getAddress(), port.getPort());
      stranger.getOutputStream().write(words);
      strangers.add(stranger);
    }
    Files.createFile(gate(trial));
    trial.awaitLine(amb, "that were not authenticated");
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  private static boolean isListening(AmbProcess amb, int rank) throws IOException {
    return !Listening.sockets(amb.findRank(rank).stream().toList()).isEmpty();
  }
}
