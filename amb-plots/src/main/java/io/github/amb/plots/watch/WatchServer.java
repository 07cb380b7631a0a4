package io.github.amb.plots.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.Printable;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** Serves the page on one run. It answers GET alone, and writes nothing. */
public final class WatchServer implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final int THREADS = 4;
  private static final Pattern KNOWN = Pattern.compile("has=(\\d{1,15}(?:,\\d{1,15}){4})");

  /** An address in figures, or this machine: no other server can give it to a browser. */
  private static final Pattern ADDRESS =
      Pattern.compile("(localhost|[\\d.]+|\\[[\\da-fA-F:.]+])(:\\d+)?");

  private final HttpServer server;
  private final ExecutorService threads;
  private final RunFeed feed;
  private final WatchPage page = new WatchPage();
  private final String host;

  private WatchServer(RunDirectory run, String host, HttpServer server) {
    this.host = host;
    this.server = server;
    feed = new RunFeed(run);
    threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "watch");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/", this::answer);
  }

  /**
   * Starts a server.
   *
   * @param run a run directory
   * @param host the address to listen at
   * @param port 0 for any free one
   * @throws UsageException if the address cannot be listened at
   */
  public static WatchServer start(RunDirectory run, String host, int port) {
    // Otherwise a client that sends half a request would hold a thread.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "30");
    try {
      HttpServer http = HttpServer.create(new InetSocketAddress(host, port), 0);
      WatchServer server = new WatchServer(run, host, http);
      http.start();
      return server;
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException(
          "expected a free port to listen at, found %s:%d (%s); choose another --port or --host"
              .formatted(host, port, e.getMessage()));
    }
  }

  /** The page's address. */
  public String url() {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return "http://" + name + ":" + server.getAddress().getPort() + "/";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      String path = exchange.getRequestURI().getPath();
      if (!isForThisServer(exchange.getRequestHeaders().getFirst("Host"))) {
        send(exchange, 403, TEXT, "expected an address or localhost as the Host, or --host");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        send(exchange, 405, TEXT, "expected GET, found another method");
      } else if ("/".equals(path)) {
        exchange.getResponseHeaders().set("Content-Security-Policy", page.policy());
        send(exchange, 200, "text/html; charset=utf-8", page.html());
      } else if ("/run".equals(path)) {
        sendRun(exchange);
      } else {
        send(exchange, 404, TEXT, "expected / or /run, found another path");
      }
    }
  }

  /** A foreign page whose name leads to this machine sends that name. */
  private boolean isForThisServer(String name) {
    return name != null
        && (ADDRESS.matcher(name).matches()
            || name.equalsIgnoreCase(host)
            || name.equalsIgnoreCase(host + ":" + server.getAddress().getPort()));
  }

  private void sendRun(HttpExchange exchange) throws IOException {
    byte[] news;
    try {
      news = feed.since(known(exchange.getRequestURI().getQuery()));
    } catch (IOException | UsageException e) {
      send(exchange, 500, TEXT, Printable.printable(String.valueOf(e.getMessage())));
      return;
    }
    send(exchange, 200, "application/json", news);
  }

  private static long[] known(String query) {
    var found = KNOWN.matcher(query == null ? "" : query);
    return found.matches()
        ? Arrays.stream(found.group(1).split(",")).mapToLong(Long::parseLong).toArray()
        : new long[0];
  }

  private static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    send(exchange, code, type, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
