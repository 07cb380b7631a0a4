package io.github.amb.plots.summary;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.plots.CsvLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A summary for other programs. */
final class SummaryData {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private SummaryData() {}

  static String json(Summary summary) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put(
        "target_accuracy", summary.target().isPresent() ? summary.target().getAsDouble() : null);
    document.put("baseline", summary.rows().get(summary.baseline()).run());
    document.put("runs", summary.rows().stream().map(SummaryData::fields).toList());
    try {
      return JSON.writeValueAsString(document) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of numbers and texts is not JSON", e);
    }
  }

  private static Map<String, Object> fields(SummaryRow row) {
    Map<String, Object> fields = row.fields();
    fields.put("ranks", row.ranks().ranks().stream().map(SummaryData::fields).toList());
    return fields;
  }

  private static Map<String, Object> fields(RankTimes.Rank rank) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("rank", rank.rank());
    fields.put("compute_time", rank.compute());
    fields.put("sleep_time", rank.sleep());
    fields.put("send_time", rank.send());
    fields.put("idle_share", Double.isFinite(rank.idleShare()) ? rank.idleShare() : null);
    return fields;
  }

  static String csv(Summary summary) {
    List<String> header = new ArrayList<>(summary.rows().get(0).fields().keySet());
    header.add("target_accuracy");
    StringBuilder text = new StringBuilder(CsvLine.of(header));
    for (SummaryRow row : summary.rows()) {
      List<Object> values = new ArrayList<>(row.fields().values());
      values.add(summary.target().orElse(Double.NaN));
      text.append(CsvLine.of(values));
    }
    return text.toString();
  }
}
