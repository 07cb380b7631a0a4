package io.github.amb.models.data.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.MirrorServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class DownloadTest {
  private static final byte[] CONTENT = new byte[200_000];

  static {
    new Random(1).nextBytes(CONTENT);
  }

  @TempDir Path folder;
  private MirrorServer server;
  private Path target;
  private Path part;
  private String sha256;
  private final Download download = new Download(HttpClient.newBuilder(), Duration.ofSeconds(10));

  @BeforeEach
  void start() throws IOException {
    server = new MirrorServer(CONTENT);
    target = folder.resolve("file.gz");
    part = folder.resolve("file.gz.part");
    sha256 = Sha256.of(Files.write(folder.resolve("original"), CONTENT));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aDownloadLeavesNoPart() throws IOException {
    assertTrue(download.fetch(target, sha256, CONTENT.length, List.of(server.good())));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
    assertFalse(Files.exists(part));
  }

  @Test
  void asksForNothingWhenTheFileIsThere() throws IOException {
    Files.write(target, CONTENT);
    assertFalse(download.fetch(target, sha256, CONTENT.length, List.of(server.good())));
    assertEquals(0, server.requests());
  }

  @Test
  void anotherFileOfTheNameIsLeftAsItIs() throws IOException {
    Files.writeString(target, "mine");
    List<URI> good = List.of(server.good());
    String message =
        assertThrows(
                UsageException.class, () -> download.fetch(target, sha256, CONTENT.length, good))
            .getMessage();
    String found = Sha256.of(target);
    assertEquals(
        "%s: expected SHA-256 %s, found %s; move it away".formatted(target, sha256, found),
        message);
    assertEquals("mine", Files.readString(target));
    assertEquals(0, server.requests());
  }

  @Test
  void continuesAnInterruptedDownload() throws IOException {
    Files.write(part, Arrays.copyOf(CONTENT, 150_000));
    download.fetch(target, sha256, CONTENT.length, List.of(server.good()));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
    assertEquals(50_000, server.bytesSent());
  }

  @Test
  void aBrokenConnectionIsResumedByTheNextMirror() throws IOException {
    download.fetch(target, sha256, CONTENT.length, List.of(server.broken(), server.good()));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
    assertTrue(server.bytesSent() < 1.9 * CONTENT.length, server.bytesSent() + " bytes sent");
  }

  @Test
  void startsAgainWhenTheServerIgnoresRanges() throws IOException {
    Files.write(part, Arrays.copyOf(CONTENT, 150_000));
    download.fetch(target, sha256, CONTENT.length, List.of(server.withoutRange()));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
    assertEquals(CONTENT.length, server.bytesSent());
  }

  @Test
  void aCompletePartNeedsNoMoreBytes() throws IOException {
    Files.write(part, CONTENT);
    download.fetch(target, sha256, CONTENT.length, List.of(server.good()));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
    assertEquals(0, server.bytesSent());
  }

  @Test
  void aPartOfAnotherFileIsThrownAway() throws IOException {
    Files.write(part, new byte[1000]);
    download.fetch(target, sha256, CONTENT.length, List.of(server.good()));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
  }

  @Test
  void wrongContentFallsToTheNextMirror() throws IOException {
    download.fetch(
        target, sha256, CONTENT.length, List.of(server.wrong(), server.missing(), server.good()));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
  }

  @Test
  void aStalledMirrorIsGivenUp() throws IOException {
    Download impatient = new Download(HttpClient.newBuilder(), Duration.ofMillis(500));
    impatient.fetch(target, sha256, CONTENT.length, List.of(server.stalling(), server.good()));
    assertArrayEquals(CONTENT, Files.readAllBytes(target));
  }

  @Test
  void withoutAnyMirrorItSaysWhyForEach() {
    List<URI> mirrors = List.of(server.missing(), server.wrong());
    String message =
        assertThrows(
                IOException.class, () -> download.fetch(target, sha256, CONTENT.length, mirrors))
            .getMessage();
    assertTrue(message.contains("HTTP status 404"), message);
    assertTrue(message.contains("expected SHA-256 " + sha256), message);
    assertFalse(Files.exists(target));
    assertFalse(Files.exists(part));
  }

  private String problem(URI mirror) {
    List<URI> mirrors = List.of(mirror);
    return assertThrows(
            IOException.class, () -> download.fetch(target, sha256, CONTENT.length, mirrors))
        .getMessage();
  }

  @Test
  void anEndlessAnswerLeavesNoFile() throws IOException {
    String message = problem(server.endless());
    assertTrue(message.contains("expected 200000 more bytes, found more"), message);
    assertFalse(Files.exists(part));
    assertTrue(download.fetch(target, sha256, CONTENT.length, List.of(server.good())));
  }

  @Test
  void anEndlessRestLeavesNoFile() throws IOException {
    Files.write(part, Arrays.copyOf(CONTENT, 150_000));
    assertTrue(problem(server.endless()).contains("found more"));
    assertFalse(Files.exists(part));
  }

  @Test
  void aBrokenDownloadLeavesNothing() {
    problem(server.broken());
    assertFalse(Files.exists(part));
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "mine");
    for (Path to : List.of(victim, folder.resolve("new"))) {
      Files.createSymbolicLink(part, to);
      String message = problem(server.good());
      assertTrue(message.startsWith(part + ": expected a plain file or none"), message);
      assertTrue(Files.isSymbolicLink(part));
      Files.delete(part);
    }
    assertEquals("mine", Files.readString(victim));
    assertFalse(Files.exists(folder.resolve("new")));
  }

  @Test
  void aMirrorThatTakesTooLongIsGivenUp() throws IOException {
    Download hurried =
        new Download(HttpClient.newBuilder(), Duration.ofSeconds(10), Duration.ofNanos(1));
    List<URI> mirrors = List.of(server.good());
    String message =
        assertThrows(
                IOException.class, () -> hurried.fetch(target, sha256, CONTENT.length, mirrors))
            .getMessage();
    assertTrue(message.contains("incomplete after 0 s"), message);
  }

  @Test
  void aFolderIsMadeForBytesThatComeOnly() throws IOException {
    Path made = folder.resolve("set").resolve("file.gz");
    List<URI> missing = List.of(server.missing());
    assertThrows(IOException.class, () -> download.fetch(made, sha256, CONTENT.length, missing));
    assertFalse(Files.exists(made.getParent()));
    assertTrue(download.fetch(made, sha256, CONTENT.length, List.of(server.good())));
    assertArrayEquals(CONTENT, Files.readAllBytes(made));
  }
}
