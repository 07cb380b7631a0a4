package io.github.amb.runtime.train;

import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/** What a run ran on: versions of the program and of Java, host, cores. */
public final class Environment {
  private Environment() {}

  /** All facts by name. */
  public static Map<String, String> describe() {
    Map<String, String> facts = new LinkedHashMap<>();
    Properties build = build();
    facts.put("amb", build.getProperty("version", "unknown"));
    facts.put("git_commit", build.getProperty("commit", "unknown"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("arch", System.getProperty("os.arch"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("omp_num_threads", Objects.toString(System.getenv("OMP_NUM_THREADS"), "unset"));
    facts.put("host", host());
    return facts;
  }

  private static Properties build() {
    Properties build = new Properties();
    try (InputStream in = Amb.class.getResourceAsStream("build.properties")) {
      build.load(in);
    } catch (IOException e) {
      throw new IllegalStateException("build.properties is not readable: " + e.getMessage(), e);
    }
    return build;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
