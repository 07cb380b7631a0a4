package io.github.amb.it.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Maven project of somebody else, with the libraries as ordinary dependencies. They are in a
 * local repository of its own, as {@code mvn install} would put them there. Other libraries come
 * from this machine's, which the project sees as a remote one.
 */
@Tag("lab")
class OutsideProjectTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final List<String> LIBRARIES = List.of("amb-core", "amb-models", "amb-plots");
  private static final List<String> PLUGINS = List.of("resources", "compiler", "surefire", "jar");

  private static final String VERSION = "</artifactId>\\s*<version>([^<$]+)</version>";

  private static final String PROJECT =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>outside</groupId>
        <artifactId>outside</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>17</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
        <dependencyManagement><dependencies><dependency>
          <groupId>io.github.amb</groupId>
          <artifactId>amb-parent</artifactId>
          <version>%s</version>
          <type>pom</type>
          <scope>import</scope>
        </dependency></dependencies></dependencyManagement>
        <dependencies>%s</dependencies>
        <build>
          <finalName>outside</finalName>
          <pluginManagement><plugins>%s</plugins></pluginManagement>
          <plugins><plugin>
            <artifactId>maven-jar-plugin</artifactId>
            <configuration><archive><manifest>
              <mainClass>Outside</mainClass>
              <addClasspath>true</addClasspath>
              <classpathPrefix>../../repository/</classpathPrefix>
              <classpathLayoutType>repository</classpathLayoutType>
            </manifest></archive></configuration>
          </plugin></plugins>
        </build>
      </project>
      """;

  private static final String PROGRAM =
      """
      import io.github.amb.core.gradient.GradientSource;
      import io.github.amb.core.scheme.Schemes;
      import io.github.amb.models.data.DataSets;
      import io.github.amb.models.network.NetworkOptions;
      import io.github.amb.models.network.Networks;
      import io.github.amb.plots.panel.Panels;

      public class Outside {
        public static void main(String[] arguments) {
          System.out.println("schemes " + Schemes.ALL.names().contains("amb"));
          System.out.println("panels " + Panels.figureNames().isEmpty());
          var data = DataSets.load("toy", null, 1);
          var network = Networks.named(Networks.defaultFor("toy"));
          try (GradientSource source = Networks.open(network, NetworkOptions.USUAL, data)) {
            float[] parameters = new float[source.layout().size()];
            float[] gradient = new float[parameters.length];
            source.initialize(1, parameters);
            source.begin(parameters, 1);
            double loss = source.accumulate(new int[] {0, 1, 2, 3}, 0, 4);
            source.finish(gradient);
            double norm = 0;
            for (float entry : gradient) {
              norm += entry * entry;
            }
            System.out.println("gradient " + (norm > 0 && Double.isFinite(norm + loss)));
          }
        }
      }
      """;

  @TempDir Path folder;
  private Path project;
  private Path repository;

  @BeforeEach
  void write() throws IOException {
    repository = Files.createDirectory(folder.resolve("repository"));
    install("amb-parent", "pom");
    for (String library : LIBRARIES) {
      install(library, "pom");
      install(library, "jar");
    }
    project = Files.createDirectory(folder.resolve("project"));
    Files.writeString(
        project.resolve("pom.xml"),
        PROJECT.formatted(
            ofParent(VERSION),
            elements("dependency", LIBRARIES, OutsideProjectTest::library),
            elements("plugin", PLUGINS, OutsideProjectTest::plugin)));
    Path sources = Files.createDirectories(project.resolve("src/main/java"));
    Files.writeString(sources.resolve("Outside.java"), PROGRAM);
    Files.writeString(
        folder.resolve("settings.xml"),
        "<settings><mirrors><mirror><id>here</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors></settings>"
            .formatted(machinesRepository().toUri()));
  }

  private static String elements(String name, List<String> of, UnaryOperator<String> content) {
    return of.stream()
        .map(one -> "<%1$s>%2$s</%1$s>".formatted(name, content.apply(one)))
        .collect(Collectors.joining());
  }

  private static String library(String name) {
    return "<groupId>io.github.amb</groupId><artifactId>%s</artifactId>".formatted(name);
  }

  private static String plugin(String name) {
    String artifact = "maven-" + name + "-plugin";
    return "<artifactId>%1$s</artifactId><version>%2$s</version>"
        .formatted(artifact, ofParent("<" + artifact + "\\.version>([^<]+)<"));
  }

  /** The first match of a pattern's group in the parent's POM. */
  private static String ofParent(String pattern) {
    try {
      Matcher found = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve("pom.xml")));
      assertTrue(found.find(), pattern);
      return found.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void install(String name, String kind) throws IOException {
    String version = ofParent(VERSION);
    Path module = name.equals("amb-parent") ? ROOT : ROOT.resolve(name);
    Path file =
        kind.equals("pom")
            ? module.resolve("pom.xml")
            : module.resolve("target/%s-%s.jar".formatted(name, version));
    Path place = repository.resolve("io/github/amb/%s/%s".formatted(name, version));
    Files.createDirectories(place);
    Files.copy(file, place.resolve("%s-%s.%s".formatted(name, version, kind)));
  }

  /** Where this machine's Maven keeps libraries, found by one of them. */
  private static Path machinesRepository() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> path.contains("/commons-cli/commons-cli/"))
        .map(path -> Path.of(path.substring(0, path.indexOf("/commons-cli/commons-cli/"))))
        .findFirst()
        .orElseThrow();
  }

  /** Runs a program in the project; returns what it has printed. */
  private String run(String... command) throws Exception {
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(5, TimeUnit.MINUTES), Arrays.toString(command));
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), printed);
    return printed;
  }

  @Test
  void itIsBuiltAndRuns() throws Exception {
    String maven = ROOT.resolve("mvnw").toString();
    run(
        onPath("mvn") ? "mvn" : maven,
        "-q",
        "-B",
        "-s",
        folder.resolve("settings.xml").toString(),
        "-Dmaven.repo.local=" + repository,
        "package");
    for (String replaced : List.of("commons-compress", "commons-io")) { // Those of DL4J are older.
      String jar = replaced + "-" + ofParent("<" + replaced + "\\.version>([^<]+)<") + ".jar";
      assertTrue(manifest().contains(jar), jar);
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    assertEquals(
        "schemes true\npanels false\ngradient true\n",
        run(java, "-jar", "target/outside.jar").replaceAll("(?m)^(WARNING|SLF4J).*\n", ""));
  }

  private String manifest() throws IOException {
    try (JarFile jar = new JarFile(project.resolve("target/outside.jar").toFile())) {
      return jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    }
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }
}
