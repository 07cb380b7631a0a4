package io.github.amb.runtime.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found of the machine itself, each warning and failure provoked by a stand-in. */
class DoctorCommandTest {
  @TempDir Path folder;
  private Path memory;

  @BeforeEach
  void memory() throws Exception {
    memory = Files.writeString(folder.resolve("meminfo"), "MemAvailable:  2150400 kB\n");
  }

  private class Sound extends SoundMachine {
    @Override
    Path memoryInfo() {
      return memory;
    }
  }

  private static void assertOk(String line, CheckedMachine machine, String... arguments)
      throws Exception {
    Diagnosis diagnosis = Diagnosis.of(machine, arguments);
    diagnosis.assertLine("ok       " + line);
    assertEquals(0, diagnosis.code());
  }

  private static void assertWarning(String line, CheckedMachine machine, String... arguments)
      throws Exception {
    Diagnosis diagnosis = Diagnosis.of(machine, arguments);
    diagnosis.assertLine("warning  " + line);
    assertEquals(0, diagnosis.code());
  }

  private static void assertFailed(String line, CheckedMachine machine, String... arguments)
      throws Exception {
    Diagnosis diagnosis = Diagnosis.of(machine, arguments);
    diagnosis.assertLine("failed   " + line);
    assertEquals(1, diagnosis.code());
  }

  @Test
  void thisMachineCanRunWhatTheTestsRun() throws Exception {
    Diagnosis diagnosis = Diagnosis.of(new CheckedMachine(), "toy");
    assertEquals(0, diagnosis.code(), diagnosis.text());
    for (String subject : List.of("java", "mpj", "natives", "ports", "data")) {
      assertTrue(diagnosis.line(subject).startsWith("ok "), diagnosis.line(subject));
    }
    for (String subject : List.of("cores", "memory", "fonts", "host", "disk")) {
      diagnosis.line(subject);
    }
    assertTrue(
        diagnosis
            .line("ports")
            .matches(".*can listen on \\S*127.0.0.1:(2[5-9]|3\\d|40)\\d{3} and connect to it"),
        diagnosis.line("ports"));
  }

  @Test
  void aMachineThatHasAllIsOk() throws Exception {
    Diagnosis diagnosis = Diagnosis.of(new Sound());
    assertEquals(0, diagnosis.code());
    assertEquals(10, diagnosis.text().lines().count(), diagnosis.text());
    assertTrue(diagnosis.text().lines().allMatch(line -> line.startsWith("ok ")));
    assertOk("host         elsewhere is 192.0.2.1", new Sound());
    assertOk("fonts        1 families", new Sound());
    // 2^30 bytes, three records of 340 bytes per step.
    assertOk(
        "disk         1024 MB free for runs: the records of 1.1 million steps with 2 workers",
        new Sound());
  }

  @Test
  void anOldJavaFails() throws Exception {
    assertFailed(
        "java         %s 16.0.2; install a JDK of 17 or newer, or set JAVA_HOME"
            .formatted(System.getProperty("java.vm.name")),
        new Sound() {
          @Override
          Runtime.Version java() {
            return Runtime.Version.parse("16.0.2");
          }
        });
  }

  @Test
  void nativesThatCannotBeLoadedFailWithTheInnermostCause() throws Exception {
    assertFailed(
        "natives      UnsatisfiedLinkError: no jniopenblas in java.library.path: []; run scripts/build on this host",
        new Sound() {
          @Override
          Map<String, String> engine() {
            throw new ExceptionInInitializerError(
                new IllegalStateException(
                    "ND4J", new UnsatisfiedLinkError("no jniopenblas in java.library.path:\n[]")));
          }
        });
  }

  @Test
  void gradientsWithoutOneDnnAreWarnedOf() throws Exception {
    assertWarning(
        "natives      gradients by DL4J 1.0.0-M2.1, ND4J's natives linux-x86_64, helper none; gradients are computed without oneDNN: run scripts/build on this host",
        new Sound() {
          @Override
          Map<String, String> engine() {
            return Map.of(
                "gradient_engine", "DL4J",
                "nd4j_version", "1.0.0-M2.1",
                "nd4j_natives", "linux-x86_64",
                "convolution_helper", "none");
          }
        });
  }

  @Test
  void tooManyRanksAreWarnedOf() throws Exception {
    assertOk("cores        3 cores for 3 ranks", new Sound());
    assertWarning(
        "cores        3 cores for 4 ranks; times are not those of a cluster; lower --workers, or use --engine sim",
        new Sound(),
        "--workers",
        "3");
    assertOk("memory       2100 MB available, about 2100 MB for 3 ranks", new Sound());
    assertWarning(
        "memory       2100 MB available, about 2800 MB for 4 ranks; lower --workers or --worker-heap",
        new Sound(),
        "--workers",
        "3");
  }

  @Test
  void memoryThatTheSystemDoesNotTellIsWarnedOf() throws Exception {
    Files.delete(memory);
    assertWarning("memory       unknown on this system; check it by hand", new Sound());
  }

  @Test
  void missingFontsAreWarnedOf() throws Exception {
    assertWarning(
        "fonts        none; amb plot needs one: install fonts-dejavu-core",
        new Sound() {
          @Override
          int fontFamilies() {
            return 0;
          }
        });
    assertWarning(
        "fonts        UnsatisfiedLinkError: libfreetype.so.6; amb plot needs some: install fontconfig and fonts-dejavu-core",
        new Sound() {
          @Override
          int fontFamilies() {
            throw new ExceptionInInitializerError(new UnsatisfiedLinkError("libfreetype.so.6"));
          }
        });
  }

  @Test
  void anAddressWithoutAPortForRanksFails() throws Exception {
    assertFailed(
        "ports        cannot listen: expected a free port from 25000 to 40000 at 192.0.2.1, found none; end the programs that use them, or choose another address with --bind",
        new Sound() {
          @Override
          InetAddress rankAddress() {
            try {
              return elsewhere();
            } catch (UnknownHostException e) {
              throw new IllegalStateException(e);
            }
          }
        });
  }

  @Test
  void aHostNameThatOthersCannotUseIsWarnedOf() throws Exception {
    assertWarning(
        "host         here is 127.0.1.1; fine for runs on this host; for several hosts, give the name its true address in /etc/hosts",
        new Sound() {
          @Override
          InetAddress ownHost() throws UnknownHostException {
            return InetAddress.getByAddress("here", new byte[] {127, 0, 1, 1});
          }
        });
    assertWarning(
        "host         here: Name or service not known; fine for amb train; scripts/mpjrun looks up this host's name: add it to /etc/hosts",
        new Sound() {
          @Override
          InetAddress ownHost() throws UnknownHostException {
            throw new UnknownHostException("here:\nName or service not known");
          }
        });
  }

  @Test
  void aHostNameOfAnotherHostFails() throws Exception {
    assertFailed(
        "host         elsewhere is 192.0.2.1, which no interface has; correct /etc/hosts",
        new Sound() {
          @Override
          boolean hasInterface(InetAddress address) {
            return false;
          }
        });
  }

  @Test
  void aDirectoryForRunsThatCannotBeMadeFails() throws Exception {
    assertFailed(
        "disk         cannot write to %s; choose another --runs-dir".formatted(folder),
        new Sound() {
          @Override
          boolean isWritable(Path directory) {
            return false;
          }
        },
        "--runs-dir",
        folder.resolve("new/runs").toString());
    assertFailed(
        "disk         %s is not a directory; choose another --runs-dir".formatted(memory),
        new Sound(),
        "--runs-dir",
        memory.resolve("runs").toString());
  }

  @Test
  void aFullDiskIsWarnedOf() throws Exception {
    assertWarning(
        "disk         5 MB free for %s: the records of 0.0 million steps with 2 workers; checkpoints may not fit: make room"
            .formatted(folder),
        new Sound() {
          @Override
          long usableBytes(Path directory) {
            return 5 << 20;
          }
        },
        "--runs-dir",
        folder.toString());
  }

  @Test
  void badUsageIsNamed() {
    assertUsage("--workers: expected 0 to 9999, found 'x'", "--workers", "x");
    assertUsage("unknown option --nothing; see --help", "--nothing");
  }

  private void assertUsage(String expected, String... arguments) {
    assertEquals(
        expected,
        assertThrows(UsageException.class, () -> Diagnosis.of(new Sound(), arguments))
            .getMessage());
  }

  @Test
  void helpChecksNothing() throws Exception {
    Diagnosis diagnosis = Diagnosis.of(new Sound(), "--help");
    assertEquals(0, diagnosis.code());
    assertTrue(diagnosis.text().startsWith("usage: amb doctor [DATA-SET...]"));
    assertFalse(diagnosis.text().contains("192.0.2.1"));
  }
}
