package io.github.amb.plots.watch;

import io.github.amb.core.file.Closing;
import io.github.amb.core.thread.Daemon;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Answers one HTTP request per connection. A bounded number of connections is open: another one
 * closes the oldest. So connections that say nothing keep nobody out and use up no files, which
 * Java's own server does not promise.
 */
final class HttpListener implements AutoCloseable {
  /** Open connections at most; a browser opens six at once. */
  static final int MAX = 32;

  private static final int MAX_BYTES = 1 << 14;
  private static final int SILENT_MILLIS = 10_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final String END = "\r\n\r\n";

  private static final Map<Integer, String> REASONS =
      Map.of(
          200, "OK",
          400, "Bad Request",
          403, "Forbidden",
          404, "Not Found",
          405, "Method Not Allowed",
          500, "Internal Server Error");

  private final ServerSocket server;
  private final Function<Request, Answer> site;
  private final String headers;
  private final Deque<Socket> open = new ArrayDeque<>();

  /**
   * A request.
   *
   * @param method such as GET
   * @param path decoded
   * @param query decoded; null if there is none
   * @param host the name by which the client knows this server; null if it gives none
   */
  record Request(String method, String path, String query, String host) {}

  /**
   * An answer.
   *
   * @param status one of those that have a reason here
   * @param type media type of the body
   * @param body not modified
   */
  record Answer(int status, String type, byte[] body) {}

  /**
   * Starts to answer.
   *
   * @param site gives the answers; several threads may ask at once
   * @param headers header lines of every answer, each with its line end
   * @throws IOException if the address cannot be listened at
   */
  HttpListener(InetSocketAddress address, Function<Request, Answer> site, String headers)
      throws IOException {
    this.site = site;
    this.headers = headers;
    server = new ServerSocket();
    server.bind(address, MAX);
    Daemon.start("watch-accept", this::accept);
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        add(socket);
        Daemon.start("watch", () -> serve(socket), failure -> remove(socket));
      } catch (IOException e) {
        // The peer has gone, or this process has too many open files: old connections make room.
        keep(0);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    keep(0);
  }

  private synchronized void add(Socket socket) {
    keep(MAX - 1);
    open.add(socket);
  }

  private synchronized void keep(int most) {
    while (open.size() > most) {
      Closing.quietly(open.remove());
    }
  }

  private synchronized void remove(Socket socket) {
    open.remove(socket);
    Closing.quietly(socket);
  }

  private void serve(Socket socket) {
    try {
      socket.setSoTimeout(SILENT_MILLIS);
      String request = read(socket.getInputStream());
      if (!request.isEmpty()) {
        socket.getOutputStream().write(bytes(answer(request)));
        socket.shutdownOutput();
      }
    } catch (IOException e) {
      // The peer has gone, or was closed to make room.
    } finally {
      remove(socket);
    }
  }

  /** The head of a request; empty if the peer sends none. */
  private static String read(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    byte[] piece = new byte[MAX_BYTES];
    while (head.indexOf(END) < 0 && head.length() < MAX_BYTES) {
      int count = in.read(piece);
      if (count < 0) {
        return "";
      }
      head.append(new String(piece, 0, count, StandardCharsets.ISO_8859_1));
    }
    return head.toString();
  }

  private Answer answer(String head) {
    String[] lines = head.split("\r\n");
    String[] words = lines[0].split(" ");
    String host = null;
    for (String line : lines) {
      if (line.regionMatches(true, 0, "Host:", 0, 5)) {
        host = line.substring(5).strip();
      }
    }
    try {
      URI target = new URI(words.length == 3 ? words[1] : "");
      String path = String.valueOf(target.getPath());
      return site.apply(new Request(words[0], path, target.getQuery(), host));
    } catch (URISyntaxException e) {
      return new Answer(400, "text/plain", new byte[0]);
    }
  }

  private byte[] bytes(Answer answer) {
    String head =
        "HTTP/1.1 %s %s\r\nConnection: close\r\nAllow: GET\r\nContent-Type: %s\r\n"
            + "Content-Length: %s\r\n%s\r\n";
    int status = answer.status();
    String filled =
        head.formatted(status, REASONS.get(status), answer.type(), answer.body().length, headers);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(filled.getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(answer.body());
    return all.toByteArray();
  }

  @Override
  public void close() {
    Closing.quietly(server);
    keep(0);
  }
}
