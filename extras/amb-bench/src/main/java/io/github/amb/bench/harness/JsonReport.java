package io.github.amb.bench.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report as one JSON object: samples with median, 90th percentile, minimum, maximum, count. */
public final class JsonReport {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING).build();
  private static final ObjectWriter JSON = MAPPER.writerWithDefaultPrettyPrinter();

  private JsonReport() {}

  /**
   * Converts a report; the text ends with a line feed.
   *
   * @param head fields before the results: benchmark, arguments, machine
   */
  public static String of(Map<String, Object> head, BenchmarkReport report) {
    Map<String, Object> all = new LinkedHashMap<>(head);
    all.put("tables", report.tables());
    all.put("targets", report.targets());
    all.put("notes", report.notes());
    all.putAll(report.data());
    try {
      return JSON.writeValueAsString(all) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report cannot be written as JSON: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the tables of a report. A sample has three measurements: minimum, median and maximum.
   *
   * @throws UsageException if the file cannot be read or has no tables
   */
  public static BenchmarkReport read(Path file) {
    try {
      JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
      List<Table> tables = new ArrayList<>();
      root.path("tables").forEach(table -> tables.add(table(table)));
      if (tables.isEmpty()) {
        throw new UsageException("--from: expected tables of a benchmark in " + file);
      }
      return new BenchmarkReport(tables, List.of(), List.of());
    } catch (IOException e) {
      throw new UsageException("--from: cannot read " + file + ": " + e.getMessage());
    }
  }

  private static Table table(JsonNode json) {
    JsonNode rows = json.path("rows");
    List<String> columns = new ArrayList<>();
    rows.path(0).fieldNames().forEachRemaining(columns::add);
    Table table = new Table(json.path("title").asText(), String.join(" ", columns));
    rows.forEach(
        row -> table.row(columns.stream().map(column -> cell(row.path(column))).toArray()));
    if (json.has("axis")) {
      table.against(json.path("axis").asText());
    }
    return table;
  }

  private static Object cell(JsonNode cell) {
    if (cell.isObject()) {
      return Sample.of(
          cell.path("min").asDouble(), cell.path("median").asDouble(), cell.path("max").asDouble());
    }
    if (cell.isIntegralNumber()) {
      return cell.longValue();
    }
    return cell.isNumber() ? (Object) cell.doubleValue() : cell.asText();
  }
}
