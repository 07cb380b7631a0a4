package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Rows of the fault matrix: the settings of a run are wrong, or differ between ranks. */
class BadStartMatrixTest extends MatrixTest {
  private static final Path MPJRUN = Path.of("../scripts/mpjrun").toAbsolutePath().normalize();
  private static final int EXAMPLES = 64;
  private static final String TOY = "toy fmb rms 16 --seed 1 --last-step 20";
  private static final String AS_MASTER = "expected .*, as at the master, found";

  static List<FaultRow> rows() {
    List<FaultRow> rows = new ArrayList<>(differing());
    rows.addAll(usage());
    rows.addAll(data());
    return rows;
  }

  private static List<FaultRow> differing() {
    return List.of(
        changed(
                "other-seed",
                "s/\\\"seed\\\":\\\"1\\\",*//; s/\\\"configuration\\\":{/&\\\"seed\\\":\\\"2\\\",/")
            .apply(16, 2, "rejected.*--seed: expected 1, as at the master, found 2"),
        changed("other-option", "s/\\\"last-step\\\":\\\"20\\\"/\\\"last-step\\\":\\\"30\\\"/")
            .apply(16, 2, "rejected.*--last-step: expected 20, as at the master, found 30"),
        FaultRow.of(
            16,
            "other-data",
            "one pixel is another where rank 2 is",
            2,
            "127.0.0.3: SHA-256 of .*train-images.*: " + AS_MASTER,
            BadStartMatrixTest::otherData),
        FaultRow.of(
            16,
            "other-code",
            "a library has a byte more where rank 2 is",
            2,
            "127.0.0.3: CRC-32 of the program: " + AS_MASTER,
            BadStartMatrixTest::otherCode),
        changed("other-secret", "s/AMB_RUN_SECRET='[0-9a-f]*'/AMB_RUN_SECRET='no'/")
            .apply(
                19,
                1,
                "rank 2 \\(on 127.0.0.3\\) .*expected the secret of this run in .*, found another"));
  }

  /** Completes a row. */
  @FunctionalInterface
  private interface Expectation {
    FaultRow apply(int number, int code, String said);
  }

  private static Expectation changed(String name, String how) {
    String words = "rank 2 is started by a shell with `sed \"" + how + "\"`";
    return (number, code, said) ->
        FaultRow.of(number, name, words, code, said, trial -> changed(trial, how, TOY));
  }

  /** Starts rank 2 of two through a shell that changes command line and settings with sed. */
  private static void changed(Trial trial, String how, String run) throws Exception {
    Path hosts = trial.home().resolve("hosts");
    Files.writeString(hosts, "127.0.0.1\n127.0.0.2\n127.0.0.3\n");
    Path shell = trial.home().resolve("shell");
    Files.writeString(
        shell,
        """
        #!/bin/bash
        host=$1; shift; [ "$host" = 127.0.0.3 ] || exec "$@"
        exec 3<&0
        exec bash -c "$(sed -u '/^exec/q' | sed "%1$s")" < <(sed -u "%1$s" <&3)
        """
            .formatted(how));
    Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
    trial.run("train %s --evaluate last --hosts %s --remote-shell %s".formatted(run, hosts, shell));
  }

  private static void otherData(Trial trial) throws Exception {
    Path own = mnist(trial.home().resolve("data"));
    Path other = mnist(trial.home().resolve("other"));
    spoil(other.resolve("train-images-idx3-ubyte"), 1000);
    String how = "s#%s#%s#g".formatted(own, other);
    changed(trial, how, "mnist fmb rms 16 --data-dir " + own);
    assertFalse(Files.exists(trial.home().resolve("runs")));
  }

  private static void otherCode(Trial trial) throws Exception {
    String library =
        Stream.of(System.getProperty("java.class.path").split(":"))
            .filter(entry -> entry.matches(".*/commons-cli[^/]*\\.jar"))
            .findFirst()
            .orElseThrow();
    Path longer = trial.home().resolve(Path.of(library).getFileName());
    Files.copy(Path.of(library), longer);
    Files.write(longer, new byte[1], StandardOpenOption.APPEND);
    changed(trial, "s#%s#%s#".formatted(library, longer), TOY);
  }

  private static List<FaultRow> usage() {
    String cores = Integer.toString(Runtime.getRuntime().availableProcessors());
    return List.of(
        rejected(17, "bad-scheme", "train toy fbm rms 16", 2, "unknown scheme"),
        rejected(
            17, "bad-network", "train digits fmb rms 16 --network mnist-cn", 2, "unknown network"),
        rejected(
            17,
            "bad-option",
            "train toy fmb rms 16 --wrokers 3",
            2,
            "unknown option --wrokers, did you mean"),
        rejected(17, "no-class", "trian", 2, "unknown command").alone("no-class"),
        FaultRow.of(
            17,
            "one-rank",
            "`scripts/mpjrun -np 1`",
            2,
            "expected at least 2 ranks",
            trial -> trial.run(mpjrun(1))),
        rejected(
            17,
            "more-ranks-than-cores",
            "doctor --workers " + cores,
            0,
            "warning .*cores for \\d+"),
        FaultRow.of(
            18,
            "foreign-address",
            "`--bind 10.255.255.254`, which no host has",
            2,
            "of this host, found",
            trial -> {
              Path hosts = trial.home().resolve("hosts");
              Files.writeString(hosts, "127.0.0.1\n127.0.0.2\n");
              trial.run("train toy fmb rms 16 --bind 10.255.255.254 --hosts " + hosts);
            }),
        FaultRow.of(
            18,
            "mpjrun-no-daemon",
            "`scripts/mpjrun -machinesfile` with a host without the daemon",
            1,
            "Cannot connect to the daemon",
            trial -> {
              Path machines = trial.home().resolve("machines");
              Files.writeString(machines, "localhost\n");
              trial.run(mpjrun(3, "-machinesfile", machines.toString()));
            }));
  }

  /** A row about a command that is rejected at its start. */
  static FaultRow rejected(int number, String name, String command, int code, String said) {
    return FaultRow.of(
        number, name, "`amb " + command + "`", code, said, trial -> trial.run(command));
  }

  /** A training of the toy data through MPJ Express' own launcher. */
  static List<String> mpjrun(int ranks, String... options) {
    List<String> line = new ArrayList<>(List.of("-np", Integer.toString(ranks), "-dev", "niodev"));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.addAll(List.of("io.github.amb.runtime.Train", "toy", "fmb", "rms", "16"));
    return mpjrun(line);
  }

  /** A command line of MPJ Express' own launcher; skips the test if it is not installed. */
  static List<String> mpjrun(List<String> words) {
    String home = Objects.requireNonNullElse(System.getenv("MPJ_HOME"), "/usr/share/mpj");
    boolean installed = Files.isReadable(Path.of(home, "lib", "starter.jar"));
    assumeTrue(installed, "MPJ Express' launcher is not installed in " + home);
    List<String> line = new ArrayList<>(List.of(MPJRUN.toString()));
    line.addAll(words);
    return line;
  }

  private static List<FaultRow> data() {
    String images = "train-images-idx3-ubyte";
    String labels = "train-labels-idx1-ubyte";
    return List.of(
        rejected(
            25,
            "missing-data",
            "train mnist fmb rms 16 --data-dir /nowhere",
            2,
            "expected .*in /nowhere"),
        spoilt(
            "truncated-data",
            "`truncate -s 1000 " + images + "`",
            images + ": offset",
            data -> cut(data.resolve(images))),
        spoilt(
            "labels-for-images",
            "the file of labels in place of images",
            images + ": offset 0: expected magic number 0x00000803",
            data ->
                Files.copy(
                    data.resolve(labels),
                    data.resolve(images),
                    StandardCopyOption.REPLACE_EXISTING)),
        spoilt(
            "label-of-no-class",
            "byte 18 of " + labels + " is 11",
            labels + ": offset 18: expected",
            data -> spoil(data.resolve(labels), 18)));
  }

  /** Changes the files of a data set. */
  @FunctionalInterface
  private interface Damage {
    void to(Path data) throws IOException;
  }

  /** A row about a damaged data set, with which no run begins. */
  private static FaultRow spoilt(String name, String how, String said, Damage damage) {
    return FaultRow.of(
        25,
        name,
        how,
        2,
        said,
        trial -> {
          Path data = mnist(trial.home().resolve("data"));
          damage.to(data);
          trial.run("train mnist fmb rms 16 --data-dir " + data);
          assertFalse(Files.exists(trial.home().resolve("runs")));
        });
  }

  private static void cut(Path file) throws IOException {
    try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
      all.setLength(1000);
    }
  }

  /** Changes a byte to 11. */
  private static void spoil(Path file, int offset) throws IOException {
    try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
      all.seek(offset);
      all.write(11);
    }
  }

  /** Writes a data set in MNIST's format with black images of zeros. */
  private static Path mnist(Path data) throws IOException {
    Files.createDirectories(data);
    for (String part : List.of("train", "t10k")) {
      ByteBuffer images = ByteBuffer.allocate(16 + EXAMPLES * 784);
      images.putInt(0x803).putInt(EXAMPLES).putInt(28).putInt(28);
      Files.write(data.resolve(part + "-images-idx3-ubyte"), images.array());
      ByteBuffer labels = ByteBuffer.allocate(8 + EXAMPLES);
      labels.putInt(0x801).putInt(EXAMPLES);
      Files.write(data.resolve(part + "-labels-idx1-ubyte"), labels.array());
    }
    return data;
  }
}
