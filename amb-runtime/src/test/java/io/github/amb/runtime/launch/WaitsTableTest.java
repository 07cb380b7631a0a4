package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.Setting;
import io.github.amb.runtime.fault.FaultSettings;
import io.github.amb.runtime.host.RankSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of waits in the documentation has every limit, with its default. */
class WaitsTableTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| [^|]+ \\| ([\\d.]+) s \\| (`[^|]+`) \\| [^|]+ \\|$");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** A constant that says by its name that it ends a wait. */
  private static final Pattern CONSTANT =
      Pattern.compile(
          "static final (?:long|int|double|Duration) "
              + "((?:\\w+_)?(?:SECONDS|MILLIS|NANOS|LIMIT|PATIENCE)) =\\s+([^;]+);");

  private static final Pattern PAUSE =
      Pattern.compile(".*\\.(\\w+_)?(PAUSE|POLL|LOOK|DELAY|NAP|EVERY)_\\w+");

  /** Other limits than of time, units, and sums of what is in the table. */
  private static final Set<String> NO_LIMITS =
      Set.of(
          "EvaluateCommand.PATIENCE",
          "ExperimentRuns.PROGRESS_SECONDS",
          "ParametersHeader.TIME_LIMIT",
          "RankProcesses.TERMINATE_LIMIT",
          "SavedArchitecture.LIMIT",
          "SteadyTimes.NANOS",
          "SteadyTimes.WARM_UP_SECONDS",
          "StopRequest.LIMIT",
          "StopRequest.SAVE_LIMIT",
          "TrainCommand.RANKS_LIMIT");

  private static SortedMap<String, Double> table() throws IOException {
    SortedMap<String, Double> limits = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("../docs/explanation/reliability.md")));
    while (row.find()) {
      Matcher name = NAME.matcher(row.group(2));
      while (name.find()) {
        limits.put(name.group(1), Double.parseDouble(row.group(1)));
      }
    }
    return limits;
  }

  @Test
  void optionsHaveTheirDefaults() throws IOException {
    for (Setting<Double> option :
        List.of(RankSettings.START_LIMIT, FaultSettings.DEAD_AFTER, FaultSettings.STALL_AFTER)) {
      assertEquals(option.fallback(), table().get("--" + option.name()), option.name());
    }
  }

  @Test
  void propertiesHaveTheirDefaults() throws IOException {
    Timeouts times = Timeouts.chosen();
    SortedMap<String, Double> expected = new TreeMap<>();
    expected.put("connect", times.connect().toMillis() / 1e3);
    expected.put("after-report", times.afterReport().toMillis() / 1e3);
    expected.put("after-master", times.afterMaster().toMillis() / 1e3);
    expected.put("root-cause", times.rootCause().toMillis() / 1e3);
    expected.put("settle", times.settle().toMillis() / 1e3);
    expected.put("evaluator", times.evaluator().toMillis() / 1e3);
    expected.put("heartbeat", times.control().heartbeat().toMillis() / 1e3);
    expected.put("greeting", times.control().greeting().toMillis() / 1e3);
    expected.put("save", StopRequest.SAVE_LIMIT.toMillis() / 1e3);
    SortedMap<String, Double> found = new TreeMap<>();
    table()
        .forEach(
            (name, seconds) -> {
              if (name.startsWith("amb.timeouts.")) {
                found.put(name.substring("amb.timeouts.".length()), seconds);
              }
            });
    assertEquals(expected, found);
    assertEquals(expected.size(), Timeouts.class.getRecordComponents().length + 2);
  }

  @Test
  void constantsHaveTheirValues() throws IOException {
    SortedMap<String, Double> table = table();
    SortedSet<String> missing = new TreeSet<>();
    int compared = 0;
    for (String module : List.of("core", "models", "plots", "runtime")) {
      try (Stream<Path> sources = Files.walk(Path.of("../amb-" + module + "/src/main/java"))) {
        for (Path source : sources.filter(path -> path.toString().endsWith(".java")).toList()) {
          Matcher constant = CONSTANT.matcher(Files.readString(source));
          String owner = source.getFileName().toString().replace(".java", ".");
          while (constant.find()) {
            String name = owner + constant.group(1);
            if (table.containsKey(name)) {
              assertEquals(seconds(constant.group(1), constant.group(2)), table.get(name), name);
              compared++;
            } else if (!PAUSE.matcher(name).matches() && !NO_LIMITS.contains(name)) {
              missing.add(name);
            }
          }
        }
      }
    }
    assertEquals(new TreeSet<>(), missing);
    assertTrue(compared > 10, compared + " constants");
  }

  /** Seconds of an expression with at most one multiplication. */
  private static double seconds(String name, String value) {
    boolean said = value.contains("TimeUnit.") || value.contains("Duration.");
    double unit = !said && name.endsWith("MILLIS") ? 1e-3 : 1;
    if (value.contains("MINUTES") || value.contains("ofMinutes")) {
      unit = 60;
    }
    double product = 1;
    Matcher number = Pattern.compile("\\d[\\d_]*").matcher(value);
    while (number.find()) {
      product *= Double.parseDouble(number.group().replace("_", ""));
    }
    return product * unit;
  }
}
