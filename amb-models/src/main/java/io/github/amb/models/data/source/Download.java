package io.github.amb.models.data.source;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Downloads a file from the first mirror that has it, and checks its length and SHA-256.
 *
 * <p>Bytes go to {@code <file>.part}, never through a link. If the program is killed, the next
 * download continues it. The file itself appears atomically, complete and checked. A failed
 * download leaves nothing.
 */
public final class Download {
  private static final int OK = 200;
  private static final int PARTIAL_CONTENT = 206;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  private final HttpClient client;
  private final Duration patience;
  private final Duration limit;

  /**
   * @param client connects to the mirrors
   * @param patience maximum time to wait for a connection, a response, or the next bytes
   */
  public Download(HttpClient.Builder client, Duration patience) {
    this(client, patience, Duration.ofSeconds(DataLimits.DOWNLOAD_SECONDS));
  }

  /**
   * @param client connects to the mirrors
   * @param patience maximum time to wait for a connection, a response, or the next bytes
   * @param limit maximum time that one mirror may take to send a file
   */
  Download(HttpClient.Builder client, Duration patience, Duration limit) {
    this.patience = patience;
    this.limit = limit;
    this.client =
        client.connectTimeout(patience).followRedirects(HttpClient.Redirect.NORMAL).build();
  }

  /**
   * Downloads to {@code target}, whose folder is created with the first bytes.
   *
   * @param sha256 expected SHA-256, lower-case hexadecimal
   * @param length expected number of bytes; no more are read
   * @param mirrors addresses of the file, tried in order
   * @return false if the file exists already
   * @throws UsageException if another file has its name
   * @throws IOException if no mirror delivers it; the message has the reason for each mirror
   */
  public boolean fetch(Path target, String sha256, long length, List<URI> mirrors)
      throws IOException {
    if (Sha256.isThere(target, sha256)) {
      return false;
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    length(part);
    List<String> failures = new ArrayList<>();
    for (URI mirror : mirrors) {
      try {
        fetchFrom(mirror, part, sha256, length);
        AtomicFile.ATOMIC.give(part, target);
        return true;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        failures.add(mirror.getHost() + ": " + reason(e));
      }
    }
    discard(part);
    throw new IOException(
        "%s: no mirror delivered it (%s); put the file there by hand, or name a proxy, as with AMB_OPTIONS='-Dhttps.proxyHost=HOST -Dhttps.proxyPort=PORT'"
            .formatted(target, String.join("; ", failures)));
  }

  /**
   * Downloads from one mirror; restarts if the content is wrong, as an old part may be the reason.
   */
  /**
   * As {@link #fetch(Path, String, long, List)}.
   *
   * @param progress receives a line that says whether the file was there
   */
  public void fetch(
      Path target, String sha256, long length, List<URI> mirrors, Consumer<String> progress)
      throws IOException {
    boolean fetched = fetch(target, sha256, length, mirrors);
    progress.accept(target + (fetched ? ": fetched" : ": already there"));
  }

  private void fetchFrom(URI mirror, Path part, String sha256, long length) throws IOException {
    boolean resumed = length(part) > 0;
    try {
      attempt(mirror, part, sha256, length);
    } catch (WrongContentException e) {
      if (!resumed) {
        throw e;
      }
      attempt(mirror, part, sha256, length);
    }
  }

  private void attempt(URI mirror, Path part, String sha256, long length) throws IOException {
    try {
      receive(mirror, part, length);
      String found = Sha256.of(part);
      if (!found.equals(sha256)) {
        throw new WrongContentException("expected SHA-256 " + sha256 + ", found " + found);
      }
    } catch (WrongContentException e) {
      discard(part);
      throw e;
    }
  }

  private void receive(URI mirror, Path part, long length) throws IOException {
    long have = length(part);
    HttpResponse<InputStream> response = request(mirror, have);
    try (InputStream body = response.body()) {
      switch (response.statusCode()) {
        case OK -> copy(body, create(part), length);
        case PARTIAL_CONTENT -> copy(body, append(part), length - have);
        case RANGE_NOT_SATISFIABLE -> {
          // The part is at least as long as the file; its checksum decides.
        }
        default -> throw new IOException("HTTP status " + response.statusCode());
      }
    }
  }

  /**
   * Number of bytes in the part.
   *
   * @throws IOException if something other than a plain file has the name
   */
  private static long length(Path part) throws IOException {
    if (!Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
      return 0;
    }
    if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          part + ": expected a plain file or none, found a link or a folder: remove it");
    }
    return Files.size(part);
  }

  private static OutputStream create(Path part) throws IOException {
    length(part);
    Files.createDirectories(part.toAbsolutePath().getParent());
    Files.deleteIfExists(part);
    return Files.newOutputStream(part, StandardOpenOption.CREATE_NEW);
  }

  private static OutputStream append(Path part) throws IOException {
    return Files.newOutputStream(part, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
  }

  /** Removes the part if it exists and is a plain file. */
  private static void discard(Path part) throws IOException {
    if (Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(part);
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

  /** Copies at most {@code most} bytes, and closes the file. */
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
          throw new WrongContentException("expected " + most + " more bytes, found more");
        }
        if (System.nanoTime() - end > 0) {
          throw new IOException("incomplete after " + limit.toSeconds() + " s");
        }
        out.write(buffer, 0, count);
      }
    }
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** The received content is not the requested file. */
  private static final class WrongContentException extends IOException {
    WrongContentException(String message) {
      super(message);
    }
  }
}
