package io.github.amb.runtime.mpj;

import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * A class loader per process group for MPJ Express and the few classes that call it, as MPJ Express
 * keeps its process group in static fields.
 */
public final class WorldLoader extends URLClassLoader {
  /** System property with the path of mpj.jar. */
  public static final String JAR_PROPERTY = "amb.mpj.jar";

  private static final String DEBIAN_JAR = "/usr/share/java/mpj.jar";
  private static final String LOGGER = "org.apache.log4j.Logger";
  private static final String CLASS = ".class";
  private static final String FIRST_CALLED = "mpi.MPI";
  private static final List<String> CALLED =
      List.of("mpi/", "mpjbuf/", "mpjdev/", "xdev/niodev/", "xdev/hybdev/");
  private static final List<String> OWN =
      List.of(
          "mpi.",
          "mpjbuf.",
          "mpjdev.",
          "xdev.",
          "runtime.",
          "org.apache.log4j.",
          "io.github.amb.runtime.mpj.express.");

  static {
    registerAsParallelCapable();
  }

  private WorldLoader(URL[] urls, ClassLoader parent) {
    super("mpj-world", urls, parent);
  }

  /** A loader for one process group, on top of the class path. */
  public static WorldLoader create() {
    return create(findJar());
  }

  private static WorldLoader create(Path jar) {
    URL mpj = Reading.certain(() -> jar.toUri().toURL());
    URL own = WorldLoader.class.getProtectionDomain().getCodeSource().getLocation();
    URL[] urls = {mpj, own, locate(LOGGER)};
    return new WorldLoader(urls, WorldLoader.class.getClassLoader());
  }

  /**
   * Finds MPJ Express: system property {@value #JAR_PROPERTY}, else {@code MPJ_HOME}, else Debian's
   * place.
   *
   * @throws UsageException if there is none
   */
  public static Path findJar() {
    String named = System.getProperty(JAR_PROPERTY);
    String home = System.getenv("MPJ_HOME");
    String jar =
        named != null ? named : home != null ? home + File.separator + "lib/mpj.jar" : DEBIAN_JAR;
    if (!Files.isReadable(Path.of(jar))) {
      throw new UsageException(
          "MPJ Express not found: expected "
              + jar
              + " (from "
              + (named != null ? "-D" + JAR_PROPERTY : home != null ? "MPJ_HOME" : "the default")
              + "); install Debian's libmpj-java, or unpack MPJ Express and set MPJ_HOME");
    }
    return Path.of(jar);
  }

  /**
   * Loads the classes of MPJ Express as ranks do, without initializing them.
   *
   * @param jar path of mpj.jar
   * @throws IOException with the file and the first class that ranks cannot use; its cause says why
   */
  public static void check(Path jar) throws IOException {
    List<String> names;
    try (JarFile file = new JarFile(jar.toFile())) {
      names = used(file);
    } catch (IOException e) {
      throw new IOException("cannot read " + jar, e);
    }
    try (WorldLoader loader = create(jar)) {
      for (String name : names) {
        loader.check(name, jar);
      }
    }
  }

  private void check(String name, Path jar) throws IOException {
    try {
      // Makes the JVM verify the class now, not when a rank first uses it.
      Objects.requireNonNull(loadClass(name).getDeclaredMethods());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IOException(jar + ": ranks cannot use class " + name, e);
    }
  }

  /**
   * Names of the replaced classes, of those of MPJ Express, and of the one of ours that calls it.
   */
  private static List<String> used(JarFile jar) {
    List<String> names = new ArrayList<>(NiodevClasses.names());
    names.add(FIRST_CALLED);
    jar.stream()
        .map(JarEntry::getName)
        .filter(name -> name.endsWith(CLASS) && CALLED.stream().anyMatch(name::startsWith))
        .map(name -> name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
        .forEach(names::add);
    names.add(MpjEngine.WORLD_CLASS);
    return names;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (!NiodevClasses.contains(name)) {
      return super.findClass(name);
    }
    URL found = findResource(name.replace('.', '/') + CLASS);
    if (found == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = found.openStream()) {
      byte[] patched = NiodevClasses.replace(name, in.readAllBytes());
      return defineClass(name, patched, 0, patched.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name + " is not the class of MPJ Express 0.44: " + e, e);
    }
  }

  private static URL locate(String className) {
    String resource = className.replace('.', '/') + CLASS;
    URL url = WorldLoader.class.getClassLoader().getResource(resource);
    if (url == null) {
      throw new IllegalStateException(className + " is not on the class path");
    }
    String text = url.toString();
    String place = text.substring(0, text.length() - resource.length());
    boolean inJar = place.startsWith("jar:");
    URI file = URI.create(inJar ? place.substring(4, place.length() - 2) : place);
    return Reading.certain(file::toURL);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (OWN.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> found = findLoadedClass(name);
      if (found == null) {
        found = findClass(name);
      }
      if (resolve) {
        resolveClass(found);
      }
      return found;
    }
  }
}
