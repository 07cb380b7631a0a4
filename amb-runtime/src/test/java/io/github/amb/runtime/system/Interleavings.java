package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Constructor;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.Unit;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.LambdaExecutor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.randomness.ControlledRandom;
import org.pastalab.fray.core.scheduler.POSScheduler;
import org.pastalab.fray.instrumentation.base.ApplicationCodeTransformer;

/**
 * Runs a piece of code with threads many times, each time in another order of its steps, which Fray
 * chooses. Steps are locks, waits, volatile fields, and all fields and arrays of this project; time
 * is virtual and passes when all threads wait. So nothing depends on the speed of the machine. What
 * a processor reorders is not seen.
 *
 * <p>Fray controls threads in a JVM of Java 25 whose classes it has changed; {@code jlink} makes it
 * once.
 */
public final class Interleavings {
  /** Java's version with which Fray works: in older ones it does not see {@link Object#wait}. */
  private static final int JAVA = 25;

  private static final Path WORK = Path.of("target/fray").toAbsolutePath();
  private static final String LIBRARY = "libjvmti.so";
  private static final String AGENT = "agent.jar";
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");
  private static final List<String> PATH =
      List.of(System.getProperty("java.class.path").split(":"));
  private static final Predicate<String> CHANGES =
      Pattern.compile("/fray-instrumentation-jdk-[^/]*$").asPredicate();
  private static final Predicate<String> MODULES =
      Pattern.compile(
              "/(fray-instrumentation-(jdk|base)|fray-runtime|asm(-[a-z]+)?|kotlin-(stdlib|reflect)|annotations)-[0-9][^/]*$")
          .asPredicate();
  private static final long SEED = 20261130;

  /** What runs once in each order. */
  public interface Body {
    /** Starts threads and waits for them; throws something if the order shows a fault. */
    void run() throws Exception;
  }

  private Interleavings() {}

  /**
   * Runs a body with its threads in many orders, the same ones in every call. What the other JVM
   * writes stays in {@code target/fray}.
   *
   * @param body has a constructor without parameters
   * @param orders their number
   * @throws AssertionError if an order fails, or if all threads wait for ever; with the order's
   *     number and the stack of the thread
   */
  public static void check(Class<? extends Body> body, int orders)
      throws IOException, InterruptedException {
    assertEquals("", failure(body, orders));
  }

  /** What {@link #check} finds; empty if nothing. */
  public static String failure(Class<? extends Body> body, int orders)
      throws IOException, InterruptedException {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "Fray's native part is for Linux on x86-64: threads ran in no chosen order");
    Optional<Path> java = java25();
    assumeTrue(
        java.isPresent(),
        "no Java 25 here or below " + INSTALLED + ": threads ran in no chosen order");
    Path home = changed(java.get());
    Path report = WORK.resolve(body.getName());
    Path output = WORK.resolve(body.getName() + ".log");
    List<String> command =
        List.of(
            home.resolve("bin/java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-agentpath:" + home.resolve(LIBRARY),
            "-javaagent:" + home.resolve(AGENT),
            "-cp",
            String.join(":", PATH),
            Interleavings.class.getName(),
            body.getName(),
            String.valueOf(orders),
            report.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(10, TimeUnit.MINUTES);
      String said = Files.readString(output);
      return !ended ? "not ended: " + said : process.exitValue() == 0 ? "" : said;
    } finally {
      process.destroyForcibly();
    }
  }

  /** A Java whose classes are changed, with Fray's agents. */
  private static Path changed(Path java) throws IOException, InterruptedException {
    String changes = PATH.stream().filter(CHANGES).findFirst().orElseThrow();
    Path home = WORK.resolve("java-" + Path.of(changes).getFileName());
    Files.createDirectories(WORK);
    try (FileChannel lock =
        FileChannel.open(
            WORK.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock(); // Other JVMs run tests, too.
      if (!Files.exists(home)) {
        Path made = Files.createTempDirectory(WORK, "java").resolve("home");
        link(java, changes, made);
        Files.move(made, home, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return home;
  }

  private static void link(Path java, String changes, Path made)
      throws IOException, InterruptedException {
    String modules = PATH.stream().filter(MODULES).collect(Collectors.joining(":"));
    List<String> command =
        List.of(
            java.resolve("bin/jlink").toString(),
            "-J-XX:TieredStopAtLevel=1",
            "-J-javaagent:" + changes,
            "-J--module-path=" + modules,
            "-J--add-modules=org.pastalab.fray.instrumentation.jdk",
            "-J--class-path=" + modules,
            "--add-modules=java.base,java.logging,java.instrument",
            "--output=" + made,
            "--fray-instrumentation");
    Process link = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(link.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, link.waitFor(), said);
    try (InputStream library = Interleavings.class.getResourceAsStream("/" + LIBRARY)) {
      Files.copy(library, made.resolve(LIBRARY));
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Interleavings.class.getName());
    try (OutputStream out = Files.newOutputStream(made.resolve(AGENT))) {
      new JarOutputStream(out, manifest).close();
    }
  }

  private static Optional<Path> java25() throws IOException {
    Path own = Path.of(System.getProperty("java.home"));
    try (Stream<Path> others =
        Files.isDirectory(INSTALLED) ? Files.list(INSTALLED) : Stream.<Path>empty()) {
      return Stream.concat(Stream.of(own), others.sorted())
          .filter(home -> is25(home) && Files.exists(home.resolve("bin/jlink")))
          .findFirst();
    }
  }

  private static boolean is25(Path home) {
    try {
      return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + JAVA);
    } catch (IOException e) {
      return false;
    }
  }

  /** Makes steps of all fields and arrays; called in the other JVM. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new ApplicationCodeTransformer(true, List.of()));
  }

  /** The other JVM: class, number of orders, folder of the report. */
  public static void main(String[] args) throws Exception {
    Constructor<?> made = Class.forName(args[0]).getDeclaredConstructor();
    made.setAccessible(true);
    Body body = (Body) made.newInstance();
    Random random = new Random(SEED);
    Configuration configuration =
        new Configuration(
            new ExecutionInfo(
                new LambdaExecutor(
                    () -> {
                      run(body);
                      return Unit.INSTANCE;
                    }),
                false,
                true,
                100_000),
            Path.of(args[2]),
            Integer.parseInt(args[1]),
            Integer.MAX_VALUE,
            new POSScheduler(random(random)),
            () -> random(random),
            true,
            false,
            true,
            false,
            false,
            false,
            NetworkDelegateType.REACTIVE,
            SystemTimeDelegateType.MOCK,
            1_000,
            false,
            true,
            false,
            false,
            false,
            false,
            null);
    Throwable failure = new TestRunner(configuration).run();
    if (failure != null) {
      System.out.println("order " + configuration.getCurrentIteration() + " of " + args[1]);
      failure.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(failure == null ? 0 : 1);
  }

  private static ControlledRandom random(Random random) {
    return new ControlledRandom(new ArrayList<>(), new ArrayList<>(), random);
  }

  /** Starts a thread of a body; what it throws fails the order. */
  public static Thread start(Body body) {
    Thread thread = new Thread(() -> run(body));
    thread.start();
    return thread;
  }

  private static void run(Body body) {
    try {
      body.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
