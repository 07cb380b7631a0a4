package io.github.amb.models.data;

import io.github.amb.core.input.DataLimits;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Downloads a file from the first mirror that has it, with its length and SHA-256 checked.
 *
 * <p>Bytes go to a {@link PartFile}, which a download that was killed leaves to the next one; the
 * file itself appears at once, complete and checked. A download that fails leaves nothing.
 */
final class Download {
  private static final int OK = 200;
  private static final int PARTIAL_CONTENT = 206;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  private final HttpClient client;
  private final Duration patience;
  private final Duration limit;

  /**
   * @param client how to reach the mirrors
   * @param patience time to wait for a connection, an answer, or the next bytes
   */
  Download(HttpClient.Builder client, Duration patience) {
    this(client, patience, Duration.ofSeconds(DataLimits.DOWNLOAD_SECONDS));
  }

  /**
   * @param limit time that one mirror may take to send a file
   */
  Download(HttpClient.Builder client, Duration patience, Duration limit) {
    this.patience = patience;
    this.limit = limit;
    this.client =
        client.connectTimeout(patience).followRedirects(HttpClient.Redirect.NORMAL).build();
  }

  /**
   * Downloads to {@code target}, whose folder is made when the first bytes are there.
   *
   * @param sha256 what the file must have, lower-case hexadecimal
   * @param length bytes that it must have; no more are taken
   * @param mirrors addresses of the file, tried in order
   * @return false if the file was there already
   * @throws IOException if no mirror delivers it; says for each why not
   */
  boolean fetch(Path target, String sha256, long length, List<URI> mirrors) throws IOException {
    if (Files.isRegularFile(target) && Sha256.of(target).equals(sha256)) {
      return false;
    }
    PartFile part = new PartFile(target);
    part.length();
    List<String> failures = new ArrayList<>();
    for (URI mirror : mirrors) {
      try {
        fetchFrom(mirror, part, sha256, length);
        part.finish();
        return true;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        failures.add(mirror.getHost() + ": " + reason(e));
      }
    }
    part.discard();
    throw new IOException(
        "%s: no mirror delivered it (%s)".formatted(target, String.join("; ", failures)));
  }

  /** Wrong content after an old part may be that part's fault: start afresh. */
  private void fetchFrom(URI mirror, PartFile part, String sha256, long length) throws IOException {
    boolean resumed = part.length() > 0;
    try {
      attempt(mirror, part, sha256, length);
    } catch (WrongContentException e) {
      if (!resumed) {
        throw e;
      }
      attempt(mirror, part, sha256, length);
    }
  }

  private void attempt(URI mirror, PartFile part, String sha256, long length) throws IOException {
    try {
      receive(mirror, part, length);
      String found = Sha256.of(part.path());
      if (!found.equals(sha256)) {
        throw new WrongContentException("expected SHA-256 " + sha256 + ", found " + found);
      }
    } catch (WrongContentException e) {
      part.discard();
      throw e;
    }
  }

  private void receive(URI mirror, PartFile part, long length) throws IOException {
    long have = part.length();
    HttpResponse<InputStream> response = request(mirror, have);
    try (InputStream body = response.body()) {
      switch (response.statusCode()) {
        case OK -> copy(body, part.create(), length);
        case PARTIAL_CONTENT -> copy(body, part.append(), length - have);
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

  /** Takes at most {@code most} bytes, and closes the file. */
  private void copy(InputStream body, OutputStream file, long most) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    byte[] buffer = new byte[1 << 16];
    try (OutputStream out = file;
        StallGuard guard = new StallGuard(body, patience)) {
      long left = most;
      for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
        guard.progress();
        left -= count;
        if (left < 0) {
          throw new WrongContentException("expected " + most + " more bytes, found yet more");
        }
        if (System.nanoTime() - end > 0) {
          throw new IOException("not done after " + limit.toSeconds() + " s");
        }
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
