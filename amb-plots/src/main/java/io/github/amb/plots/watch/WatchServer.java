package io.github.amb.plots.watch;

import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.watch.HttpListener.Answer;
import io.github.amb.plots.watch.HttpListener.Request;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Serves one run over HTTP: a page, or numbers. It answers GET alone, and writes nothing. */
public final class WatchServer implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String METRICS = "/metrics";
  private static final String HEADERS =
      "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Security-Policy: "
          + WatchPage.POLICY
          + "\r\n";

  private static final Pattern KNOWN = Pattern.compile("has=(\\d{1,15}(?:,\\d{1,15}){4})");

  /** An address in figures, or this machine: no other server can give it to a browser. */
  private static final Pattern ADDRESS =
      Pattern.compile("(localhost|[\\d.]+|\\[[\\da-fA-F:.]+])(:\\d+)?");

  private final HttpListener listener;
  private final Map<String, Resource> resources;
  private final String host;
  private final String first;

  /**
   * @param resources what there is, by path
   * @param first path of what a user opens
   */
  private WatchServer(String host, int port, Map<String, Resource> resources, String first)
      throws IOException {
    this.host = host;
    this.resources = resources;
    this.first = first;
    listener = new HttpListener(new InetSocketAddress(host, port), this::answer, HEADERS);
  }

  /** What a path answers. */
  private record Resource(String type, Body body) {}

  /** Makes the text of an answer. */
  @FunctionalInterface
  private interface Body {
    byte[] of(String query) throws IOException;
  }

  /**
   * Starts a server of a page that follows a run. It has the numbers for Prometheus, too.
   *
   * @param run a run directory
   * @param host the address to listen at
   * @param port 0 for any free one
   * @param unended what the page says of a run that has recorded no ending
   * @throws UsageException if the address cannot be listened at
   */
  public static WatchServer page(RunDirectory run, String host, int port, String unended) {
    String html = WatchPage.html();
    RunFeed feed = new RunFeed(run, unended);
    Map<String, Resource> resources = new TreeMap<>();
    resources.put("/", new Resource("text/html; charset=utf-8", query -> bytes(html)));
    resources.put("/run", new Resource("application/json", query -> feed.since(known(query))));
    resources.put(METRICS, metrics(run));
    return start(host, port, resources, "/");
  }

  /**
   * Starts a server of the numbers for Prometheus alone.
   *
   * @param run a run directory
   * @param host the address to listen at
   * @param port 0 for any free one
   * @throws UsageException if the address cannot be listened at
   */
  public static WatchServer metrics(RunDirectory run, String host, int port) {
    return start(host, port, Map.of(METRICS, metrics(run)), METRICS);
  }

  private static Resource metrics(RunDirectory run) {
    MetricsFeed feed = new MetricsFeed(run);
    return new Resource(PrometheusTextFormatWriter.CONTENT_TYPE, query -> feed.text());
  }

  private static WatchServer start(
      String host, int port, Map<String, Resource> resources, String first) {
    try {
      return new WatchServer(host, port, resources, first);
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException(
          "expected a free port to listen at, found %s:%d (%s); choose another port or address",
          host, port, e.getMessage());
    }
  }

  /** The address to open or to scrape. */
  public String url() {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return "http://" + name + ":" + listener.address().getPort() + first;
  }

  private Answer answer(Request request) {
    Resource resource = resources.get(request.path());
    if (!isForThisServer(request.host())) {
      return text(403, "expected an address or localhost as the Host, or --host");
    } else if (!request.method().equals("GET")) {
      return text(405, "expected GET, found another method");
    } else if (resource == null) {
      String paths = String.join(" or ", resources.keySet());
      return text(404, "expected " + paths + ", found another path");
    }
    try {
      return new Answer(200, resource.type(), resource.body().of(request.query()));
    } catch (IOException | UsageException e) {
      return text(500, Printable.printable(String.valueOf(e.getMessage())));
    }
  }

  /**
   * A foreign page whose name leads to this machine sends that name. Numbers for other machines
   * have no such page to fear: monitoring programs reach this one by any of its names.
   */
  private boolean isForThisServer(String name) {
    return name != null
        && (ADDRESS.matcher(name).matches()
            || name.equalsIgnoreCase(host)
            || name.equalsIgnoreCase(host + ":" + listener.address().getPort())
            || first.equals(METRICS) && !listener.address().getAddress().isLoopbackAddress());
  }

  private static long[] known(String query) {
    var found = KNOWN.matcher(query == null ? "" : query);
    return found.matches()
        ? Arrays.stream(found.group(1).split(",")).mapToLong(Long::parseLong).toArray()
        : new long[0];
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Answer text(int status, String text) {
    return new Answer(status, TEXT, bytes(text));
  }

  @Override
  public void close() {
    listener.close();
  }
}
