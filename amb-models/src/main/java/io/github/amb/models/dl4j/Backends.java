package io.github.amb.models.dl4j;

import io.github.amb.core.file.Reading;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.nd4j.common.config.ND4JClassLoading;

/**
 * Chooses one of ND4J's backends on the class path.
 *
 * <p>By default ND4J tries the GPU backend first and silently uses the processor's if that fails. A
 * process must compute on the chosen device or fail.
 */
public final class Backends {
  private static final String CPU = "org.nd4j.linalg.cpu.nativecpu.CpuBackend";
  private static final String SERVICE = "META-INF/services/org.nd4j.linalg.factory.Nd4jBackend";

  private static String chosen = CPU;

  private Backends() {}

  /**
   * Makes this process use a backend other than the processor's. Call this before any use of ND4J.
   *
   * @param backend name of its class
   */
  public static synchronized void choose(String backend) {
    chosen = backend;
    restrict();
  }

  /** Whether this process uses the processor's. */
  static synchronized boolean isProcessor() {
    return chosen.equals(CPU);
  }

  /** Hides all backends but the chosen one from ND4J. */
  static synchronized void restrict() {
    ND4JClassLoading.setNd4jClassloader(
        new OneService(Backends.class.getClassLoader(), SERVICE, chosen));
  }

  /** Loads classes from its parent, but finds only one provider of a service. */
  static final class OneService extends ClassLoader {
    private final String service;
    private final String provider;

    OneService(ClassLoader parent, String service, String provider) {
      super(parent);
      this.service = service;
      this.provider = provider;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      List<URL> found = Collections.list(super.getResources(name));
      return Collections.enumeration(
          name.equals(service) ? found.stream().filter(this::names).toList() : found);
    }

    private boolean names(URL file) {
      String text = Reading.text(file::openStream);
      return text.lines().anyMatch(line -> line.strip().equals(provider));
    }
  }
}
