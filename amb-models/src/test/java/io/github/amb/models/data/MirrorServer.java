package io.github.amb.models.data;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A local server with one good mirror of a file and several bad ones. */
public final class MirrorServer implements AutoCloseable {
  private final byte[] content;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong sent = new AtomicLong();

  public MirrorServer(byte[] content) throws IOException {
    this.content = content;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    serve("/good", exchange -> send(exchange, rangeStart(exchange), content.length));
    serve("/without-range", exchange -> send(exchange, 0, content.length));
    serve("/broken", exchange -> send(exchange, rangeStart(exchange), content.length / 2));
    serve("/stalling", this::stall);
    serve("/wrong", MirrorServer::sendWrong);
    serve("/endless", this::sendEndlessly);
    serve("/missing", exchange -> exchange.sendResponseHeaders(404, -1));
    server.start();
  }

  private void serve(String path, HttpHandler handler) {
    server.createContext(
        path,
        exchange -> {
          requests.incrementAndGet();
          try (exchange) {
            handler.handle(exchange);
          }
        });
  }

  private static int rangeStart(HttpExchange exchange) {
    String range = exchange.getRequestHeaders().getFirst("Range");
    return range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
  }

  /** Promises everything from {@code start} and sends up to {@code end}. */
  private void send(HttpExchange exchange, int start, int end) throws IOException {
    if (start >= content.length) {
      exchange.sendResponseHeaders(416, -1);
      return;
    }
    exchange.sendResponseHeaders(start > 0 ? 206 : 200, content.length - start);
    OutputStream body = exchange.getResponseBody();
    body.write(content, start, end - start);
    body.flush();
    sent.addAndGet(end - start);
  }

  private void stall(HttpExchange exchange) throws IOException {
    send(exchange, 0, 1000);
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The file, or the rest of it, again and again until the client hangs up. */
  private void sendEndlessly(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(rangeStart(exchange) > 0 ? 206 : 200, 0);
    OutputStream body = exchange.getResponseBody();
    while (end.getCount() > 0) {
      body.write(content);
    }
  }

  private static void sendWrong(HttpExchange exchange) throws IOException {
    byte[] wrong = "<html>moved</html>".getBytes();
    exchange.sendResponseHeaders(200, wrong.length);
    exchange.getResponseBody().write(wrong);
  }

  public URI good() {
    return address("/good");
  }

  public URI withoutRange() {
    return address("/without-range");
  }

  /** Closes the connection in the middle. */
  public URI broken() {
    return address("/broken");
  }

  /** Keeps the connection open and sends no more. */
  public URI stalling() {
    return address("/stalling");
  }

  public URI wrong() {
    return address("/wrong");
  }

  /** Sends more than the file. */
  public URI endless() {
    return address("/endless");
  }

  public URI missing() {
    return address("/missing");
  }

  private URI address(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  public int requests() {
    return requests.get();
  }

  public long bytesSent() {
    return sent.get();
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
