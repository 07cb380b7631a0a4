package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.common.config.ND4JClassLoading;
import org.nd4j.linalg.factory.Nd4jBackend;

class BackendsTest {
  private static final String SERVICE = "META-INF/services/a.Service";

  @TempDir Path folder;

  private URL provider(String name, String text) throws IOException {
    Path file = folder.resolve(name).resolve(SERVICE);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return folder.resolve(name).toUri().toURL();
  }

  @Test
  void oneProviderOfSeveralIsSeen() throws IOException {
    URL[] places = {
      provider("processor", "# comment a.Card\na.Processor\n"), provider("card", "a.Card")
    };
    try (URLClassLoader both = new URLClassLoader(places, null)) {
      assertEquals(2, Collections.list(both.getResources(SERVICE)).size());
      ClassLoader one = new Backends.OneService(both, SERVICE, "a.Card");
      List<URL> seen = Collections.list(one.getResources(SERVICE));
      assertEquals(List.of(new URL(places[1], SERVICE)), seen);
      ClassLoader other = new Backends.OneService(both, "another", "a.Card");
      assertEquals(2, Collections.list(other.getResources(SERVICE)).size());
    }
  }

  @Test
  void nd4jSeesTheProcessorsBackendUnlessAnotherIsChosen() {
    Dl4jSetup.ensure();
    List<String> seen =
        ND4JClassLoading.loadService(Nd4jBackend.class).stream()
            .map(backend -> backend.type().getName())
            .toList();
    assertEquals(List.of("org.nd4j.linalg.cpu.nativecpu.CpuBackend"), seen);
  }
}
