package io.github.amb.it.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.it.document.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** All files name one version, and the modules have what Maven Central asks for. */
class ReleaseTest {
  private static final Path ROOT = SourceTree.HERE.root();

  private static String text(Path pom, String path) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    return XPathFactory.newInstance().newXPath().evaluate(path, document).strip();
  }

  private static String version() throws Exception {
    return text(ROOT.resolve("pom.xml"), "/project/version");
  }

  private static List<Path> modules() {
    return SourceTree.HERE
        .folders(Path.of("."))
        .map(Path::normalize)
        .filter(folder -> folder.getFileName().toString().startsWith("amb-"))
        .map(folder -> folder.resolve("pom.xml"))
        .filter(Files::exists)
        .sorted()
        .toList();
  }

  private static Matcher find(String file, String pattern) throws IOException {
    Matcher matcher =
        Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(ROOT.resolve(file)));
    assertTrue(matcher.find(), file + ": expected " + pattern);
    return matcher;
  }

  @Test
  void modulesAndExamplesHaveOneVersion() throws Exception {
    for (Path pom : modules()) {
      assertEquals(version(), text(pom, "/project/parent/version"), pom.toString());
    }
    Path examples = ROOT.resolve("examples/pom.xml");
    assertEquals(version(), text(examples, "/project/properties/amb.version"));
  }

  @Test
  void citationAndChangelogNameTheNewestRelease() throws Exception {
    Matcher released = find("CHANGELOG.md", "^## \\[([0-9.]+)\\] - (\\d{4}-\\d\\d-\\d\\d)$");
    assertEquals(released.group(1), find("CITATION.cff", "^version: (.*)$").group(1));
    assertEquals(released.group(2), find("CITATION.cff", "^date-released: (.*)$").group(1));
    if (!version().endsWith("-SNAPSHOT")) {
      assertEquals(version(), released.group(1));
    }
  }

  @Test
  void modulesHaveWhatMavenCentralAsksFor() throws Exception {
    Path parent = ROOT.resolve("pom.xml");
    for (String element :
        List.of("name", "description", "url", "licenses", "developers", "scm/connection")) {
      assertFalse(text(parent, "/project/" + element).isEmpty(), element);
    }
    for (Path pom : modules()) {
      assertFalse(text(pom, "/project/name").isEmpty(), pom + ": name");
      assertFalse(text(pom, "/project/description").isEmpty(), pom + ": description");
      assertEquals("", text(pom, "//dependency[scope='system']/artifactId"), pom.toString());
    }
  }

  @Test
  void theReleaseProfileMakesSourcesAndJavadoc() throws Exception {
    List<String> found = new ArrayList<>();
    for (String plugin :
        List.of("maven-source-plugin", "maven-javadoc-plugin", "maven-gpg-plugin")) {
      String path = "/project/profiles/profile[id='release']//plugin[artifactId='%s']//goal";
      found.add(text(ROOT.resolve("pom.xml"), path.formatted(plugin)));
    }
    assertEquals(List.of("jar-no-fork", "jar", "sign"), found);
  }
}
