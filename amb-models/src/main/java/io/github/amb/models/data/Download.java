package io.github.amb.models.data;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Downloads a file from the first mirror that has it, with its SHA-256 checked.
 *
 * <p>Bytes go to {@code <file>.part}, from which an interrupted download goes on; the file itself
 * appears at once, complete and checked.
 */
final class Download {
  private static final int OK = 200;
  private static final int PARTIAL_CONTENT = 206;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  private final HttpClient client;
  private final Duration patience;

  /**
   * @param client how to reach the mirrors
   * @param patience time to wait for a connection, an answer, or the next bytes
   */
  Download(HttpClient.Builder client, Duration patience) {
    this.patience = patience;
    this.client =
        client.connectTimeout(patience).followRedirects(HttpClient.Redirect.NORMAL).build();
  }

  /**
   * Downloads to {@code target}, whose folder is made when the first bytes are there.
   *
   * @param sha256 what the file must have, lower-case hexadecimal
   * @param mirrors addresses of the file, tried in order
   * @return false if the file was there already
   * @throws IOException if no mirror delivers it; says for each why not
   */
  boolean fetch(Path target, String sha256, List<URI> mirrors) throws IOException {
    if (Files.exists(target) && Sha256.of(target).equals(sha256)) {
      return false;
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    List<String> failures = new ArrayList<>();
    for (URI mirror : mirrors) {
      try {
        fetchFrom(mirror, part, sha256);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        return true;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        failures.add(mirror.getHost() + ": " + reason(e));
      }
    }
    throw new IOException(
        "%s: no mirror delivered it (%s)".formatted(target, String.join("; ", failures)));
  }

  /** A wrong checksum after going on with an old part may be that part's fault: start afresh. */
  private void fetchFrom(URI mirror, Path part, String sha256) throws IOException {
    boolean resumed = Files.exists(part);
    try {
      attempt(mirror, part, sha256);
    } catch (WrongContentException e) {
      if (!resumed) {
        throw e;
      }
      attempt(mirror, part, sha256);
    }
  }

  private void attempt(URI mirror, Path part, String sha256) throws IOException {
    receive(mirror, part);
    String found = Sha256.of(part);
    if (!found.equals(sha256)) {
      Files.delete(part);
      throw new WrongContentException("expected SHA-256 " + sha256 + ", found " + found);
    }
  }

  private void receive(URI mirror, Path part) throws IOException {
    long have = Files.exists(part) ? Files.size(part) : 0;
    HttpResponse<InputStream> response = request(mirror, have);
    try (InputStream body = response.body()) {
      switch (response.statusCode()) {
        case OK -> copy(body, part, StandardOpenOption.TRUNCATE_EXISTING);
        case PARTIAL_CONTENT -> copy(body, part, StandardOpenOption.APPEND);
        case RANGE_NOT_SATISFIABLE -> {
          // The part is as long as the file or longer: its checksum tells which.
        }
        default -> throw new IOException("HTTP status " + response.statusCode());
      }
    }
  }

  private HttpResponse<InputStream> request(URI mirror, long have) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(mirror).timeout(patience);
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-");
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while downloading " + mirror);
    }
  }

  private void copy(InputStream body, Path part, StandardOpenOption how) throws IOException {
    Files.createDirectories(part.toAbsolutePath().getParent());
    byte[] buffer = new byte[1 << 16];
    try (StallGuard guard = new StallGuard(body, patience);
        OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE, how)) {
      for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
        guard.progress();
        out.write(buffer, 0, count);
      }
    }
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** What came is not the file that was asked for. */
  private static final class WrongContentException extends IOException {
    private static final long serialVersionUID = 1L;

    WrongContentException(String message) {
      super(message);
    }
  }
}
