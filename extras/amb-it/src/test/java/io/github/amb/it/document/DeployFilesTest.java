package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests of {@code deploy} fit its image, its sshd and the program's options. */
@Tag("system")
class DeployFilesTest {
  private static final Path DEPLOY = Path.of("../../deploy");

  private static List<JsonNode> documents(String file) throws IOException {
    Path path = DEPLOY.resolve("kubernetes").resolve(file);
    try (MappingIterator<JsonNode> all =
        new YAMLMapper().readerFor(JsonNode.class).readValues(path.toFile())) {
      return all.readAll();
    }
  }

  private static List<JsonNode> values(String file, String field) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode document : documents(file)) {
      found.addAll(document.findValues(field));
    }
    return found;
  }

  private static void assertAll(String expected, List<JsonNode> found) {
    assertFalse(found.isEmpty(), "expected " + expected);
    found.forEach(value -> assertEquals(expected, value.asText()));
  }

  /** The arguments of the master. */
  private static JsonNode train(String file) throws IOException {
    return values(file, "args").stream()
        .filter(arguments -> arguments.get(0).asText().equals("train"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpijob.yaml", "trainjob.yaml"})
  void podsHaveTheUserAndSshOfTheImage(String file) throws IOException {
    assertAll("1000", values(file, "runAsUser"));
    assertAll("1000", values(file, "fsGroup"));
    assertAll("2222", values(file, "port"));
    String image = Files.readString(DEPLOY.resolve("Dockerfile"));
    assertTrue(image.contains("--uid 1000"), image);
    for (String config : List.of("ssh_config", "sshd_config")) {
      assertTrue(Files.readString(DEPLOY.resolve(config)).contains("Port 2222\n"), config);
    }
    String keys = values(file, "sshAuthMountPath").get(0).asText();
    assertTrue(Files.readString(DEPLOY.resolve("sshd_config")).contains(keys + "/id_rsa\n"), keys);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpijob.yaml", "trainjob.yaml"})
  void theCommandIsOneThatTheProgramAccepts(String file) throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Amb.class.getName()));
    train(file).forEach(word -> line.add(word.asText()));
    assertEquals("/etc/mpi/hostfile", line.get(line.indexOf("--hosts") + 1));
    // The operator writes that file in the pod.
    line.subList(line.indexOf("--hosts"), line.indexOf("--hosts") + 2).clear();
    line.add("--print-config");
    Process amb = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(amb.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, amb.waitFor(), said);
  }

  /** What is not in the claim is lost with the launcher's pod. */
  @ParameterizedTest
  @ValueSource(strings = {"mpijob.yaml", "trainjob.yaml"})
  void theRunDirectoryIsInAClaim(String file) throws IOException {
    JsonNode claim =
        documents(file).stream()
            .filter(document -> document.get("kind").asText().equals("PersistentVolumeClaim"))
            .findFirst()
            .orElseThrow();
    assertAll(claim.get("metadata").get("name").asText(), values(file, "claimName"));
    String volume = values(file, "volumes").get(0).get(0).get("name").asText();
    JsonNode mount = values(file, "volumeMounts").get(0).get(0);
    assertEquals(volume, mount.get("name").asText());
    List<String> line = new ArrayList<>();
    train(file).forEach(word -> line.add(word.asText()));
    String run = line.get(line.indexOf("--run-directory") + 1);
    assertTrue(run.startsWith(mount.get("mountPath").asText() + "/"), run);
  }

  /** The shell of the batch script becomes the program that passes the signal to the master. */
  @Test
  void slurmSignalsTheMasterOfAResumedRun() throws IOException {
    String script = Files.readString(DEPLOY.resolve("slurm/resume.sbatch"));
    assertTrue(script.contains("\n#SBATCH --signal=B:TERM@60\n"), script);
    assertTrue(script.contains("\nexec \"$program/bin/amb-srun\" "), script);
  }

  /** Slurm, its launcher and its jobs are stand-ins, which write down what they are told. */
  @Test
  @Timeout(60)
  void slurmStartsAJobAgainThatReachesItsTimeLimit(@TempDir Path directory) throws Exception {
    Path calls = directory.resolve("calls");
    script(directory.resolve("scontrol"), "echo \"scontrol $*\" >> " + calls);
    script(
        directory.resolve("bin/amb-srun"),
        "trap 'exit 130' TERM; echo \"amb-srun $*\" >> %s; while :; do sleep 0.1; done"
            .formatted(calls));
    assertEquals(130, end(directory, "USR1", "AMB_CHAIN=1"));
    String run = "amb-srun digits fmb --run-directory runs/slurm-17 --resume auto";
    assertEquals(List.of(run, "scontrol requeue 17"), Files.readAllLines(calls));
    for (List<String> end : List.of(List.of("TERM", "AMB_CHAIN=1"), List.of("USR1", "X=1"))) {
      Files.delete(calls);
      assertEquals(130, end(directory, end.get(0), end.get(1)));
      assertEquals(List.of(run), Files.readAllLines(calls));
    }
  }

  private static void script(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/bash\n" + body + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  /** The exit code of a job that gets a signal while it trains. */
  private static int end(Path directory, String signal, String variable) throws Exception {
    String job =
        "export PATH=%s:$PATH AMB=%1$s SLURM_JOB_ID=17 %s; exec bash %s digits fmb"
            .formatted(directory, variable, DEPLOY.resolve("slurm/train.sbatch").toAbsolutePath());
    Process process = new ProcessBuilder("bash", "-c", job).inheritIO().start();
    while (Files.notExists(directory.resolve("calls"))) {
      Thread.sleep(20);
    }
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    return process.waitFor();
  }

  @Test
  void theImageHasNoRootAndNoHostKeys() throws IOException {
    String image = Files.readString(DEPLOY.resolve("Dockerfile"));
    assertTrue(image.contains("\nUSER mpiuser\n"), image);
    assertTrue(image.contains("rm -rf /var/lib/apt/lists/* /etc/ssh/ssh_host_*"), image);
  }
}
