package io.github.amb.plots.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class WatchServerTest {
  private static final int STEPS = 12;

  /** Steps of a log that has more than one piece. */
  private static final int LONG = 200_000;

  @TempDir Path folder;
  private RunDirectory run;
  private WatchServer server;

  @BeforeEach
  void start() throws IOException {
    run =
        new RunDirectory(new ExampleRun("fmb").steps(STEPS).evaluateEvery(4).write(folder).path());
    server = WatchServer.page(run, "127.0.0.1", 0, "training");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(method, BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private JsonNode run(String query) throws IOException, InterruptedException {
    return new ObjectMapper().readTree(send("GET", "run" + query).body());
  }

  /** The status line of the answer to a request for a host of any name. */
  private String statusFor(String host) throws IOException {
    return statusFor(server, host);
  }

  private static String statusFor(WatchServer server, String host) throws IOException {
    URI url = URI.create(server.url());
    try (Socket socket = new Socket("127.0.0.1", url.getPort())) {
      String request =
          "GET " + url.getPath() + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      return new String(answer, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }
  }

  @Test
  @Timeout(60)
  void silentConnectionsKeepNobodyOut() throws Exception {
    int port = URI.create(server.url()).getPort();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 3 * HttpListener.MAX; i++) {
        silent.add(new Socket("127.0.0.1", port));
      }
      assertEquals(200, send("GET", "").statusCode());
      // The oldest one was closed for another.
      assertEquals(-1, silent.get(0).getInputStream().read());
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  @Timeout(60)
  void aMalformedRequestIsRejected() throws IOException {
    for (String request : List.of("nonsense", "GET /%zz HTTP/1.1", "GET / HTTP/1.1")) {
      try (Socket socket = new Socket("127.0.0.1", URI.create(server.url()).getPort())) {
        socket.getOutputStream().write((request + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(answer.startsWith("HTTP/1.1 40"), answer);
      }
    }
  }

  @Test
  void thePageNeedsNoOtherServer() throws Exception {
    HttpResponse<String> page = send("GET", "");
    assertEquals(200, page.statusCode());
    assertTrue(page.body().contains("uPlot"));
    assertFalse(page.body().matches("(?s).*<(script|link|img)[^>]*(src|href)=\"http.*"));
    String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
    assertTrue(policy.startsWith("default-src 'none'; script-src 'sha256-"), policy);
  }

  @Test
  void thePageHasEveryStepAndTest() throws Exception {
    JsonNode news = run("");
    assertEquals(STEPS, news.at("/progress/step").asInt());
    assertEquals(STEPS, news.at("/losses/points").size());
    assertEquals(new RunDirectory(run.path()).workers().size(), news.at("/workers").size());
    assertEquals(run.lastEvaluation().accuracy(), news.at("/progress/accuracy").asDouble());
  }

  @Test
  void aRunWithoutAccuracyHasACurveOfTheLoss() throws Exception {
    double best = run("").at("/progress/best_loss").asDouble();
    Files.writeString(
        run.masterLog(),
        "{\"type\":\"evaluation\",\"time\":99,\"step\":99,\"test_loss\":99.5,\"accuracy\":\"NaN\","
            + "\"test_size\":9,\"metrics\":{\"gap\":4.5}}\n",
        StandardOpenOption.APPEND);
    JsonNode news = run("");
    JsonNode points = news.at("/tests/points");
    assertEquals(99.5, points.get(points.size() - 1).get(2).asDouble());
    assertEquals(99.5, news.at("/progress/test_loss").asDouble());
    assertEquals(best, news.at("/progress/best_loss").asDouble());
    assertEquals(4.5, news.at("/progress/metrics/gap").asDouble());
  }

  @Test
  void onlyWhatIsNewIsSentAgain() throws Exception {
    JsonNode first = run("");
    String has =
        "?has=%s,1,%d,1,%d"
            .formatted(
                first.at("/reading").asText(),
                first.at("/losses/points").size(),
                first.at("/tests/points").size());
    assertEquals(0, run(has).at("/losses/points").size());
    Files.writeString(
        run.masterLog(),
        "{\"type\":\"step\",\"time\":99,\"step\":13,\"loss\":0.5}\n",
        StandardOpenOption.APPEND);
    JsonNode news = run(has);
    assertEquals(STEPS, news.at("/losses/from").asInt());
    assertEquals(13, news.at("/losses/points/0/1").asInt());
  }

  @Test
  void testsOfTheEvaluatorAreInOrderOfSteps() throws Exception {
    JsonNode first = run("");
    String test =
        "{\"type\":\"evaluation\",\"time\":%1$d,\"step\":%1$d,\"accuracy\":%2$s,\"test_size\":999}\n";
    Files.writeString(run.evaluatorLog(), test.formatted(6, 0.25) + test.formatted(8, 0.75));
    JsonNode news = run("?has=%s,1,%d,1,3".formatted(first.at("/reading").asText(), STEPS));
    assertEquals(0, news.at("/tests/from").asInt());
    List<Integer> steps = new ArrayList<>();
    news.at("/tests/points").forEach(point -> steps.add(point.get(1).asInt()));
    assertEquals(List.of(4, 6, 8, 12), steps);
    assertEquals(0.75, news.at("/tests/points/2/2").asDouble());
    assertEquals(12, news.at("/progress/accuracy_step").asInt());
  }

  @Test
  void aResumedRunIsReadFromItsStart() throws Exception {
    JsonNode first = run("");
    String begin = Files.readAllLines(run.masterLog()).get(0) + "\n";
    Files.writeString(run.masterLog(), begin);
    JsonNode news = run("?has=%s,1,%d,1,3".formatted(first.at("/reading").asText(), STEPS));
    assertEquals(0, news.at("/losses/from").asInt());
    assertEquals(first.at("/reading").asInt() + 1, news.at("/reading").asInt());
  }

  @Test
  void namesOfForeignPagesAreRejected() throws IOException {
    assertEquals("HTTP/1.1 403 Forbidden", statusFor("evil.example"));
    assertEquals("HTTP/1.1 403 Forbidden", statusFor("127.0.0.1.evil.example"));
    assertEquals("HTTP/1.1 200 OK", statusFor("localhost:80"));
    assertEquals("HTTP/1.1 200 OK", statusFor("[::1]:80"));
  }

  /** Prometheus reaches another machine by any of its names. */
  @Test
  void metricsForOtherMachinesHaveAnyName() throws IOException {
    try (WatchServer here = WatchServer.metrics(run, "127.0.0.1", 0);
        WatchServer everywhere = WatchServer.metrics(run, "0.0.0.0", 0)) {
      assertEquals("HTTP/1.1 403 Forbidden", statusFor(here, "node3:9400"));
      assertEquals("HTTP/1.1 200 OK", statusFor(everywhere, "node3:9400"));
    }
  }

  @Test
  void metricsAreWithoutThePage() throws Exception {
    try (WatchServer metrics = WatchServer.metrics(run, "127.0.0.1", 0)) {
      HttpRequest page = HttpRequest.newBuilder(URI.create(metrics.url()).resolve("/")).build();
      assertEquals(
          404, HttpClient.newHttpClient().send(page, BodyHandlers.ofString()).statusCode());
    }
  }

  @Test
  void aLongLogIsReadInParts() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int step = 1; step <= LONG; step++) {
      log.append("{\"type\":\"step\",\"time\":%1$d,\"step\":%1$d,\"loss\":1}\n".formatted(step));
    }
    Files.writeString(run.masterLog(), log);
    JsonNode news = run("");
    assertTrue(news.get("read").asDouble() < 1, news.get("read").toString());
    while (news.get("read").asDouble() < 1) {
      news = run("");
    }
    assertEquals(LONG, news.at("/progress/step").asInt());
  }

  /** As a crash leaves it. */
  @Test
  void aLineWithoutAnEndIsNotWaitedFor() throws Exception {
    Files.writeString(run.masterLog(), "{\"type\":\"st", StandardOpenOption.APPEND);
    assertEquals(1, run("").get("read").asDouble());
  }

  @Test
  void aRunWithoutAnEndingHasTheStateOfTheServer() throws Exception {
    assertEquals("all steps done", run("").at("/run/cause").asText());
    run.write(run.read().withEnding(null));
    assertEquals("training", run("").at("/run/cause").asText());
  }

  @Test
  void onlyGetIsAnswered() throws Exception {
    for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS"}) {
      assertEquals(405, send(method, "run").statusCode(), method);
    }
  }

  @Test
  void otherPathsAreMissing() throws Exception {
    assertEquals(404, send("GET", "../run.json").statusCode());
    assertEquals(404, send("GET", "master.jsonl").statusCode());
  }

  @Test
  void aMalformedLogIsReported() throws Exception {
    Files.writeString(run.masterLog(), "nonsense\n", StandardOpenOption.APPEND);
    HttpResponse<String> answer = send("GET", "run");
    assertEquals(500, answer.statusCode());
    assertTrue(answer.body().startsWith(run.masterLog() + " line "));
  }
}
