package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts of a source tree: they print help without acting, and report why Java does not start. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class ScriptsTest {
  private static final Path SCRIPTS = Path.of("../scripts").toAbsolutePath().normalize();

  /** Of the text "natives", by sha1sum. */
  private static final String NATIVES_SHA1 = "fb3103717e10ef27c5be5504af5004c858897e9e";

  @TempDir Path directory;

  /**
   * A source tree with scripts, a build, and stand-ins for programs that would change the machine.
   */
  private Path tree() throws IOException {
    Path tree = directory.resolve("tree");
    Path scripts = Files.createDirectories(tree.resolve("scripts"));
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, scripts.resolve(file.getFileName()));
      }
    }
    Files.createDirectories(tree.resolve("extras/amb-dist/target/dist/lib"));
    Files.writeString(tree.resolve("extras/amb-dist/target/dist/lib/old.jar"), "old");
    for (String name : List.of("mvn", "apt-get", "sudo", "srun", "mpirun", "ip", "slurmctld")) {
      program(name, "echo " + name + " >> '" + directory + "/acted'; exit 1");
    }
    return tree;
  }

  private void program(String name, String body) throws IOException {
    Path file = Files.createDirectories(directory.resolve("path")).resolve(name);
    Files.writeString(file, "#!/bin/bash\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private AmbProcess bash(String line) throws Exception {
    String path = "PATH='" + directory + "/path':$PATH; cd '" + directory + "'; ";
    try (AmbProcess process =
        AmbProcess.start(directory.resolve("said"), List.of("bash", "-c", path + line))) {
      process.awaitEnd(AmbProcess.LIMIT);
      return process;
    }
  }

  private static void assertOneLine(AmbProcess process, String part) throws IOException {
    assertEquals(2, process.exitCode(), process.everythingSaid());
    assertEquals(1, process.stderr().size(), process.everythingSaid());
    assertEquals(List.of(), process.stdout());
    assertTrue(process.stderr().get(0).contains(part), process.everythingSaid());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amb-rank",
        "amb-srun",
        "bench-peers",
        "build",
        "install-dependencies",
        "install-nd4j",
        "mpjrun",
        "netns-hosts",
        "quickstart",
        "reference",
        "slurm-lab",
        "step-on-links",
        "test",
        "try-predecessors"
      })
  void helpDoesNothingElse(String script) throws Exception {
    Path tree = tree();
    for (String option : List.of("--help", "-h")) {
      AmbProcess help =
          bash("export JAVA_HOME=/nonexistent; bash tree/scripts/" + script + " " + option);
      assertEquals(0, help.exitCode(), help.everythingSaid());
      assertTrue(help.stdout().size() > 0, help.everythingSaid());
      assertEquals(List.of(), help.stderr());
    }
    assertTrue(Files.exists(tree.resolve("extras/amb-dist/target/dist/lib/old.jar")));
    assertTrue(Files.notExists(directory.resolve("acted")));
    assertTrue(Files.notExists(tree.resolve("runs")));
  }

  @Test
  void aBuildThatFailsKeepsTheOneBefore() throws Exception {
    Path tree = tree();
    AmbProcess build = bash("bash tree/scripts/build");
    assertEquals(1, build.exitCode(), build.everythingSaid());
    assertEquals("mvn\n", Files.readString(directory.resolve("acted")));
    try (Stream<Path> target = Files.list(tree.resolve("extras/amb-dist/target"))) {
      assertEquals(List.of("dist"), target.map(p -> p.getFileName().toString()).toList());
    }
    assertTrue(Files.exists(tree.resolve("extras/amb-dist/target/dist/lib/old.jar")));
  }

  @Test
  void aBuildReplacesTheOneBeforeWhole() throws Exception {
    Path tree = tree();
    program(
        "mvn",
        """
        for word; do [[ $word == -Ddist.directory=* ]] && made=${word#*=}; done
        mkdir -p "$made/dist/lib" "$made/dist/bin"
        echo new > "$made/dist/lib/new.jar"
        ls extras/amb-dist/target/dist/lib >> seen
        printf '\\e[0m\\e[1mwarning\\e[m\\n\\e[0m'
        """);
    AmbProcess build = bash("bash tree/scripts/build");
    assertEquals(0, build.exitCode(), build.everythingSaid());
    assertEquals(List.of("warning"), build.stdout());
    assertEquals("old.jar\n", Files.readString(tree.resolve("seen")));
    try (Stream<Path> lib = Files.list(tree.resolve("extras/amb-dist/target/dist/lib"))) {
      assertEquals(List.of("new.jar"), lib.map(p -> p.getFileName().toString()).toList());
    }
  }

  /** A repository with natives of the classes' versions, and a wrong sum for OpenBLAS. */
  @Test
  void nativesOfNd4jAreCheckedAndPutBesideTheProgram() throws Exception {
    Path dist = tree().resolve("extras/amb-dist/target/dist");
    program("uname", "[[ $1 != -s ]] && echo x86_64 || echo Linux");
    String[][] jars = {
      {"org/nd4j", "nd4j-native", "1.0", "linux-x86_64-onednn"},
      {"org/bytedeco", "openblas", "0.3-1.5", "linux-x86_64"}
    };
    for (String[] jar : jars) {
      Files.writeString(dist.resolve("lib/" + jar[1] + "-" + jar[2] + ".jar"), "classes");
      Path folder = directory.resolve("maven/" + String.join("/", jar[0], jar[1], jar[2]));
      String name = jar[1] + "-" + jar[2] + "-" + jar[3] + ".jar";
      Files.writeString(Files.createDirectories(folder).resolve(name), "natives");
      Files.writeString(folder.resolve(name + ".sha1"), NATIVES_SHA1);
    }
    Path sum = directory.resolve("maven/org/bytedeco/openblas/0.3-1.5");
    sum = sum.resolve("openblas-0.3-1.5-linux-x86_64.jar.sha1");
    Files.writeString(sum, "0".repeat(40));
    // Nothing is in another file system, from where a jar would be copied, and could be torn.
    String command =
        "TMPDIR=/missing MAVEN_REPOSITORY='file://%s/maven' bash tree/scripts/install-nd4j"
            .formatted(directory);
    AmbProcess wrong = bash(command);
    assertEquals(1, wrong.exitCode(), wrong.everythingSaid());
    assertTrue(wrong.everythingSaid().contains("expected SHA-1 " + "0".repeat(40)));
    assertEquals(List.of("nd4j-native-1.0-linux-x86_64-onednn.jar"), names(dist.resolve("nd4j")));
    Files.writeString(sum, NATIVES_SHA1);
    assertEquals(0, bash(command).exitCode());
    assertEquals(
        List.of("nd4j-native-1.0-linux-x86_64-onednn.jar", "openblas-0.3-1.5-linux-x86_64.jar"),
        names(dist.resolve("nd4j")));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"amb --version", "amb-rank toy fmb rms 8", "build", "mpjrun -np 2 X"})
  void aMissingJavaIsOneLine(String command) throws Exception {
    tree();
    String variables = "export JAVA_HOME=/nonexistent MPJ_HOME='" + mpj() + "'; ";
    assertOneLine(bash(variables + "bash tree/scripts/" + command), " at /nonexistent/bin/java");
  }

  @Test
  void aBuildShowsModulesAndErrors() throws Exception {
    tree();
    program("javac", "exit 0");
    program(
        "mvn",
        """
        printf '\\033[0m[INFO] Building AMB core 0.3.0   [2/9]\\n[INFO] Copying files\\n\\n'
        printf '[WARNING] one\\n[ERROR] A.java:[1,2] cannot find symbol\\n  symbol: class X\\n'
        """);
    AmbProcess build = bash("unset JAVA_HOME; bash tree/scripts/build");
    assertEquals(
        List.of(
            "build: [2/9] AMB core 0.3.0",
            "[ERROR] A.java:[1,2] cannot find symbol",
            "  symbol: class X"),
        build.stdout());
  }

  @Test
  void optionsOfJavaReachTheRanksOfTheSitesMpi() throws Exception {
    tree();
    java("echo \"$*\"");
    AmbProcess rank =
        bash("unset JAVA_HOME; AMB_OPTIONS='-Xmx2400m -Da=b' bash tree/scripts/amb-rank toy");
    assertEquals(0, rank.exitCode(), rank.everythingSaid());
    // The last one counts.
    String heaps = rank.stdout().get(0).replaceAll("(-Xmx\\w+ |-Da=b )|.", "$1");
    assertEquals("-Xmx1g -Xmx1g -Xmx2400m -Da=b ", heaps);
  }

  @Test
  void mpjrunFollowsALinkToItself() throws Exception {
    tree();
    java("echo 0 > \"$AMB_EXIT_FILE\"");
    String link = "ln -s \"$PWD/tree/scripts/mpjrun\" linked; bash linked -np 2 X";
    AmbProcess mpjrun = bash("unset JAVA_HOME; export MPJ_HOME='" + mpj() + "'; " + link);
    assertEquals(0, mpjrun.exitCode(), mpjrun.everythingSaid());
  }

  /** A directory with what mpjrun looks for. */
  private Path mpj() throws IOException {
    Path mpj = directory.resolve("mpj");
    Files.writeString(Files.createDirectories(mpj.resolve("lib")).resolve("starter.jar"), "");
    return mpj;
  }

  /** A Java that says its version, or runs {@code body}. */
  private void java(String body) throws IOException {
    String version = "[[ $* != *-version ]] || exec echo 'openjdk version \"17.0.2\"'\n";
    program("java", version + "[[ $* != *--dry-run* ]] || exit 0\n" + body);
  }

  /** Runs mpjrun with a Java that runs {@code body} in place of MPJ Express' launcher. */
  private AmbProcess mpjrun(String variables, String body) throws Exception {
    tree();
    java(body);
    return bash(
        "unset JAVA_HOME; export MPJ_HOME='%s' %s; bash tree/scripts/mpjrun -np 2 X"
            .formatted(mpj(), variables));
  }

  @Test
  void mpjrunWithoutATemporaryDirectoryIsOneLine() throws Exception {
    assertOneLine(
        mpjrun("TMPDIR=/missing", "exit 1"), "expected to create a directory in /missing");
  }

  /** As a full disk or the end of the program leaves it. */
  @Test
  void anEmptyFileHasNoExitCode() throws Exception {
    AmbProcess mpjrun = mpjrun("", "touch \"$AMB_EXIT_FILE\"");
    assertEquals(1, mpjrun.exitCode(), mpjrun.everythingSaid());
    assertEquals(1, mpjrun.stderr().size(), mpjrun.everythingSaid());
    String said = mpjrun.stderr().get(0);
    assertTrue(said.startsWith("mpjrun: expected an exit code"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit 1", "kill -9 $$", "echo 'openjdk version \"11.0.2\"' >&2"})
  void aJavaThatIsBrokenOrOldIsOneLine(String body) throws Exception {
    tree();
    program("java", body);
    assertOneLine(
        bash("unset JAVA_HOME; bash tree/scripts/amb --version"), "expected Java 17 or newer");
  }

  @Test
  void tooLittleMemoryForJavaIsOneLine() throws Exception {
    InstalledAmb.in(directory.resolve("installed"));
    String java = "export JAVA_HOME='" + System.getProperty("java.home") + "'; ";
    assertOneLine(
        bash(java + "ulimit -v 1000000; bash installed/bin/amb --version"),
        "does not start with -Xmx1g: Could not reserve");
  }

  @Test
  void aHomeThatIsNotUtf8IsOneLine() throws Exception {
    tree();
    assertOneLine(
        bash("mv tree $'tr\\xe9e'; bash $'tr\\xe9e/scripts/amb' --version"),
        "with a name in UTF-8");
  }

  @Test
  void nothingIsInstalledUnasked() throws Exception {
    withoutMpj("1000");
    assertOneLine(
        bash("unset MPJ_HOME; bash tree/scripts/install-dependencies"), "missing: libmpj-java");
    assertTrue(Files.notExists(directory.resolve("acted")));
    assertOneLine(bash("unset MPJ_HOME; bash tree/scripts/quickstart"), "missing: libmpj-java");
    assertTrue(Files.notExists(directory.resolve("acted")));
  }

  @Test
  void anOrdinaryUserInstallsWithSudoWhenAsked() throws Exception {
    withoutMpj("1000");
    bash("unset MPJ_HOME; bash tree/scripts/install-dependencies --install");
    assertInstalled("sudo apt-get ");
  }

  @Test
  void rootInstallsWhatIsMissing() throws Exception {
    withoutMpj("0");
    bash("unset MPJ_HOME; bash tree/scripts/install-dependencies");
    assertInstalled("apt-get ");
  }

  private void assertInstalled(String command) throws IOException {
    List<String> acted = Files.readAllLines(directory.resolve("acted"));
    assertEquals(2, acted.size(), acted.toString());
    assertTrue(acted.get(0).startsWith(command + "update"), acted.toString());
    assertTrue(acted.get(1).startsWith(command + "install"), acted.toString());
    assertTrue(acted.get(1).contains(" libmpj-java"), acted.toString());
  }

  /** A tree on a host without MPJ Express; programs that would install only write their name. */
  private void withoutMpj(String user) throws IOException {
    Path script = tree().resolve("scripts/install-dependencies");
    Files.writeString(
        script, Files.readString(script).replace("/usr/share/java/mpj.jar", "/nowhere/mpj.jar"));
    program("id", "echo " + user);
    for (String name : List.of("apt-get", "sudo")) {
      program(name, "echo " + name + " \"$@\" >> '" + directory + "/acted'");
    }
  }

  @Test
  void unknownArgumentsAreRejectedFirst() throws Exception {
    tree();
    assertOneLine(bash("bash tree/scripts/quickstart now"), "no argument, found 'now'");
    assertOneLine(bash("bash tree/scripts/install-dependencies x"), "found 'x'");
    assertTrue(Files.notExists(directory.resolve("acted")));
  }
}
