package io.github.amb.runtime.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.source.Download;
import io.github.amb.runtime.command.Command;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class DataCommandTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void isFoundAsAService() {
    assertTrue(
        ServiceLoader.load(Command.class).stream()
            .anyMatch(provider -> provider.type() == DataCommand.class));
  }

  @Test
  void listNamesEveryDataSet() throws Exception {
    assertEquals(0, run("list"));
    for (String name : DataSets.ALL.names()) {
      assertTrue(out.toString().lines().anyMatch(line -> line.startsWith("  " + name + " ")), name);
    }
  }

  @Test
  void aPathShowsWhatIsLearned() throws Exception {
    String rows = "kind,a,b,c,d,e\ncat,1,2,3,4,5.5\ndog,1,2,3,4,6\ncat,1,2,3,4,5\n";
    Path file = Files.writeString(folder.resolve("t.csv"), rows);
    assertEquals(0, run(file.toString()));
    List<String> lines = out.toString().lines().toList();
    assertEquals(file + ": 2 training and 1 test examples of 1x1x5 in 2 classes", lines.get(0));
    assertTrue(lines.get(2).matches("\\s*0\\s+cat\\s+1\\s+1"), lines.get(2));
    assertTrue(lines.get(3).matches("\\s*1\\s+dog\\s+1\\s+0"), lines.get(3));
    assertTrue(lines.contains("  1.000 2.000 3.000 4.000 5.000"), out.toString());
    assertTrue(out.toString().contains("held out for testing: 1 of 3"), out.toString());
  }

  @Test
  void numbersAndLabelsToPredictAreShown() throws Exception {
    Path file = Files.writeString(folder.resolve("n.csv"), "a,b,c\n1,0,9\n1,1,9.5\n0,1,9\n");
    assertEquals(0, run(file + ":targets=a,b"));
    List<String> lines = out.toString().lines().toList();
    assertTrue(lines.get(0).endsWith("2 training and 1 test examples of 1x1x1 in 2 numbers"));
    assertTrue(lines.contains("training example 1, numbers 0.000 1.000"), out.toString());
    out.reset();
    assertEquals(0, run(file + ":labels=a,b"));
    lines = out.toString().lines().toList();
    assertTrue(lines.get(2).matches("\\s*0\\s+a\\s+1\\s+1"), lines.get(2));
    assertTrue(lines.get(3).matches("\\s*1\\s+b\\s+2\\s+0"), lines.get(3));
  }

  @Test
  void anImageIsDrawnInCharacters() throws Exception {
    String bright = "1,0,0,255,255";
    Path file = Files.writeString(folder.resolve("i.csv"), "0,0,0,0,1\n0,0,0,0,9\n" + bright);
    assertEquals(0, run(file.toString()));
    assertTrue(out.toString().contains("training example 1, class 1\n\n"), out.toString());
  }

  @Test
  void checkPrintsChecksumsAndSizes() throws Exception {
    Path mnist = Files.createDirectory(folder.resolve("mnist"));
    for (String part : List.of("train", "t10k")) {
      int count = part.equals("train") ? 12 : 5;
      var images = ByteBuffer.allocate(16 + count * 28 * 28);
      images.putInt(0x803).putInt(count).putInt(28).putInt(28);
      Files.write(mnist.resolve(part + "-images-idx3-ubyte"), images.array());
      var labels = ByteBuffer.allocate(8 + count).putInt(0x801).putInt(count);
      Files.write(mnist.resolve(part + "-labels-idx1-ubyte"), labels.array());
    }
    assertEquals(0, run("check", "mnist", "--data-dir", folder.toString()));
    List<String> lines = out.toString().lines().toList();
    assertEquals(5, lines.size());
    assertTrue(
        lines.get(0).matches("[0-9a-f]{64}  train-images-idx3-ubyte  not as published"),
        lines.get(0));
    assertEquals("mnist: 12 training and 5 test examples of 1x28x28 in 10 classes", lines.get(4));
  }

  @Test
  void fetchWithoutNetworkFailsWithOneLine() throws Exception {
    assertEquals(1, run("fetch", "mnist", "--data_dir=" + folder));
    List<String> lines = err.toString().lines().toList();
    assertEquals(1, lines.size(), err.toString());
    assertTrue(lines.get(0).startsWith("amb data fetch mnist: "), lines.get(0));
    assertTrue(lines.get(0).contains("no mirror delivered it"), lines.get(0));
  }

  @Test
  void generatedDataNeedNoFetching() throws Exception {
    assertEquals(0, run("fetch", "digits", "--data-dir", folder.toString()));
    assertTrue(out.toString().contains("nothing to fetch"));
  }

  @Test
  void misuseIsExplained() {
    assertTrue(problem("fetc", "mnist").contains("did you mean 'fetch'?"));
    assertTrue(problem("fetch", "mnist").contains("expected --data-dir DIR"));
    assertTrue(problem("fetch", "--data-dir").contains("expected DIR, found none"));
    assertTrue(problem("fetch", "mnist", "--dat-dir", "x").contains("did you mean '--data-dir'?"));
    assertTrue(problem("check", "mnst").contains("did you mean 'mnist'?"));
    assertTrue(problem("check").contains("expected one data set after 'check'"));
  }

  private String problem(String... arguments) {
    return assertThrows(UsageException.class, () -> run(arguments)).getMessage();
  }

  private int run(String... arguments) throws Exception {
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    var noNetwork =
        HttpClient.newBuilder()
            .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", closedPort)));
    return new DataCommand(() -> new Download(noNetwork, Duration.ofSeconds(5)))
        .printingTo(new PrintStream(out, true), new PrintStream(err, true))
        .run(List.of(arguments));
  }
}
