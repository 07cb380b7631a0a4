package io.github.amb.plots.export;

import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.plots.FileNames;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.run.DeviceLog;
import io.github.amb.plots.run.EsyncFormat;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * ESync's summary of a run, in the bytes that its {@code summary.py} writes: {@code {host: {device:
 * {accuracy_list, num_samples_list, self_iters_list, elapsed_time_list, aggregate_time_list}}}}.
 */
final class EsyncSummary {
  private static final String LOCAL = "localhost";
  private static final int ACCURACY_DECIMALS = 3;
  private static final int TIME_DECIMALS = 4;

  /** JSON as Python's {@code json.dump}: in one line, with spaces after commas and colons. */
  private static final PrettyPrinter PYTHON =
      new DefaultPrettyPrinter(
              Separators.createDefaultInstance()
                  .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                  .withObjectEntrySpacing(Separators.Spacing.AFTER)
                  .withArrayValueSpacing(Separators.Spacing.AFTER)
                  .withObjectEmptySeparator("")
                  .withArrayEmptySeparator(""))
          .withObjectIndenter(DefaultPrettyPrinter.NopIndenter.instance)
          .withArrayIndenter(DefaultPrettyPrinter.NopIndenter.instance);

  private static final ObjectWriter JSON =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .build()
          .writer(PYTHON);

  /** File name that ESync's drawer looks for, by the folder's. */
  private static final Map<String, String> NAMES =
      Map.of("esync", "ESync", "sync", "Sync", "async", "Async", "dcasgd", "DCASGD");

  private EsyncSummary() {}

  static List<Path> write(Run run, Path folder) throws IOException {
    String scheme = run.isStandalone() ? "local" : run.info().configured("scheme", "run");
    String directory = scheme.equals("fmb") ? "sync" : scheme;
    Path inside =
        folder
            .resolve(FileNames.part(run.info().configured("network", "network")))
            .resolve(FileNames.part(directory) + (run.isNonIid() ? "-niid" : ""));
    String name = FileNames.part(NAMES.getOrDefault(directory, directory));
    String end = (run.isNonIid() ? "-Non-IID" : "") + ".json";
    List<DeviceLog> devices =
        EsyncFormat.logs(run.directory().path()).orElseGet(() -> EsyncDevices.of(run));
    OutputFile.folder(folder, inside);
    return List.of(
        OutputFile.write(inside.resolve(name + end), JSON.writeValueAsBytes(hosts(devices))));
  }

  /** Devices by host; {@code localhost} for a log that has no host. */
  private static Map<String, Map<String, Object>> hosts(List<DeviceLog> devices) {
    Map<String, Map<String, Object>> hosts = new LinkedHashMap<>();
    for (DeviceLog device : devices) {
      int slash = device.name().indexOf('/');
      String host = slash < 0 ? LOCAL : device.name().substring(0, slash);
      hosts
          .computeIfAbsent(host, name -> new LinkedHashMap<>())
          .put(device.name().substring(slash + 1), lists(device.rounds()));
    }
    return hosts;
  }

  private static Map<String, Object> lists(List<DeviceLog.Round> rounds) {
    List<BigDecimal> accuracies =
        rounds.stream()
            .map(DeviceLog.Round::accuracy)
            .filter(Double::isFinite)
            .map(accuracy -> decimal(accuracy, ACCURACY_DECIMALS))
            .toList();
    Map<String, Object> lists = new LinkedHashMap<>();
    lists.put("accuracy_list", accuracies);
    lists.put("num_samples_list", rounds.stream().map(DeviceLog.Round::samples).toList());
    lists.put("self_iters_list", rounds.stream().map(DeviceLog.Round::iterations).toList());
    lists.put(
        "elapsed_time_list",
        rounds.stream().map(round -> (long) Math.rint(round.elapsed())).toList());
    lists.put(
        "aggregate_time_list",
        rounds.stream().map(round -> decimal(round.aggregate(), TIME_DECIMALS)).toList());
    return lists;
  }

  /** Rounds to the nearest, half to even, as Python does; trailing zeros are removed except one. */
  private static BigDecimal decimal(double value, int decimals) {
    BigDecimal plain =
        new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return plain.scale() < 1 ? plain.setScale(1) : plain;
  }
}
