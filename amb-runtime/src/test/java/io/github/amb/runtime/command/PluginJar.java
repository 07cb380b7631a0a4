package io.github.amb.runtime.command;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A jar with two plugins, for tests. */
public final class PluginJar {
  private PluginJar() {}

  /**
   * Writes the jar.
   *
   * @param version of the interface in the manifest; null for none
   * @param services content of the list of plugins
   * @return {@code jar}
   */
  public static Path write(Path jar, String version, String services) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (version != null) {
      manifest.getMainAttributes().putValue("Amb-Api-Version", version);
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new JarEntry("META-INF/services/" + Plugin.class.getName()));
      out.write(services.getBytes(StandardCharsets.UTF_8));
      for (Class<?> type : List.of(Half.class, Twin.class)) {
        String file = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(file));
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
          in.transferTo(out);
        }
      }
    }
    return jar;
  }

  /** Adds a delay model. */
  public static class Half implements Plugin<DelayModels.Entry> {
    @Override
    public List<DelayModels.Entry> entries() {
      DelayModel half = random -> 0.5;
      return List.of(
          new DelayModels.Entry(Description.of("half", "half a second"), "", arguments -> half));
    }
  }

  /** Adds another one of the same name. */
  public static final class Twin extends Half {}
}
