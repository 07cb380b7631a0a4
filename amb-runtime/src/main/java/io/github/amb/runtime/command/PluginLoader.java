package io.github.amb.runtime.command;

import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Reading;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Plugin;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;

/**
 * Loads the classes of plugins, on top of the class path. As the class loader of the threads'
 * context, it is where {@link java.util.ServiceLoader} finds services.
 */
public final class PluginLoader extends URLClassLoader {
  private static final String OPTION = "--plugins";
  private static final String VERSION = "Amb-Api-Version";

  private final Set<Path> jars;
  private final Map<String, String> digests = new TreeMap<>();

  private PluginLoader(Set<Path> jars, ClassLoader parent) {
    super("plugins", jars.stream().map(PluginLoader::url).toArray(URL[]::new), parent);
    this.jars = jars;
    jars.forEach(jar -> digests.put("plugin " + jar.getFileName(), checkedDigest(jar)));
  }

  /**
   * Loads the plugins of the installation and of {@code --plugins} into this thread and those that
   * it starts. Called before anything that plugins add to is used.
   *
   * @param arguments what the user typed; not modified
   * @return the arguments without {@code --plugins}, but of {@code train}, which hands all jars to
   *     its ranks
   * @throws UsageException if a jar cannot be used
   */
  public static List<String> start(List<String> arguments) {
    List<String> rest = new ArrayList<>();
    List<String> named = new ArrayList<>();
    String home = System.getProperty("amb.home", "");
    Path installed = Path.of(home, "plugins");
    if (!home.isEmpty() && Files.isDirectory(installed)) {
      named.add(installed.toString());
    }
    named.addAll(separate(arguments, rest));
    Set<Path> jars = use(named);
    if (!jars.isEmpty() && !rest.isEmpty() && rest.get(0).equals("train")) {
      rest.add(1, option(jars));
    }
    return rest;
  }

  /**
   * Loads the plugins that a rank's arguments name.
   *
   * @throws UsageException if a jar cannot be used
   */
  public static void startRank(List<String> arguments) {
    use(separate(arguments, new ArrayList<>()));
  }

  /** The option that gives another process the plugins that this thread has; empty without any. */
  public static List<String> option() {
    return Thread.currentThread().getContextClassLoader() instanceof PluginLoader loader
        ? List.of(option(loader.jars))
        : List.of();
  }

  private static String option(Set<Path> jars) {
    return OPTION + "=" + String.join(",", jars.stream().map(Path::toString).toList());
  }

  /** SHA-256 of the plugins that this thread has, by {@code plugin} and the file's name. */
  public static Map<String, String> describe() {
    return Thread.currentThread().getContextClassLoader() instanceof PluginLoader loader
        ? Map.copyOf(loader.digests)
        : Map.of();
  }

  /** Adds what is no {@code --plugins} to the rest, and returns its values. */
  private static List<String> separate(List<String> arguments, List<String> rest) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.startsWith(OPTION + "=")) {
        values.add(argument.substring(OPTION.length() + 1));
      } else if (!argument.equals(OPTION)) {
        rest.add(argument);
      } else if (++i == arguments.size()) {
        throw new UsageException(OPTION + ": expected a jar or a directory of jars, found none");
      } else {
        values.add(arguments.get(i));
      }
    }
    return values;
  }

  private static Set<Path> use(List<String> named) {
    Set<Path> jars = new LinkedHashSet<>();
    for (String paths : named) {
      for (String path : paths.split(",")) {
        addJars(Path.of(path).toAbsolutePath().normalize(), jars);
      }
    }
    if (!jars.isEmpty()) {
      Thread thread = Thread.currentThread();
      thread.setContextClassLoader(new PluginLoader(jars, thread.getContextClassLoader()));
    }
    return jars;
  }

  private static void addJars(Path path, Set<Path> jars) {
    if (!Files.isDirectory(path)) {
      jars.add(path);
      return;
    }
    try {
      jars.addAll(Folder.entries(path));
      jars.removeIf(file -> !file.toString().endsWith(".jar"));
    } catch (IOException e) {
      throw new UsageException("%s: cannot read directory %s: %s", OPTION, path, e);
    }
  }

  private static URL url(Path jar) {
    return Reading.certain(() -> jar.toUri().toURL());
  }

  /** Checks that a jar is a plugin for this version. */
  private static String checkedDigest(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      String version =
          file.getManifest() == null
              ? null
              : file.getManifest().getMainAttributes().getValue(VERSION);
      if (!String.valueOf(Plugin.API_VERSION).equals(version)) {
        throw new UsageException(
            "plugin %s: expected %s: %d in its manifest, found %s; build it for this version of AMB",
            jar, VERSION, Plugin.API_VERSION, version == null ? "none" : version);
      }
      return Sha256.of(jar);
    } catch (IOException e) {
      throw new UsageException(
          "%s: expected a jar or a directory of jars, found %s, which cannot be read: %s",
          OPTION, jar, e.getMessage());
    }
  }
}
