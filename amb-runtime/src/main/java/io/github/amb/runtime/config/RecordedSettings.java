package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.models.network.NetworkSettings;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the options in a {@code run.json}, which anyone may have written: each is checked like one
 * from the command line. Unknown names are ignored, as other versions may have them.
 */
public final class RecordedSettings {
  private static final JsonFactory JSON = new JsonFactory();
  static final String CONFIGURATION = "configuration";

  private RecordedSettings() {}

  /**
   * Reads a file that is known to describe a run.
   *
   * @throws UsageException with file, line and option of every invalid value
   * @throws IOException if the file cannot be read
   */
  public static Settings read(Path file) throws IOException {
    return read(
        file, BoundedFile.read(file, "the description of a run", DataLimits.RUN_JSON_BYTES));
  }

  /**
   * The settings of a run, as its launcher passes them on.
   *
   * @param line from {@link Settings#toJson}
   * @throws UsageException with every value that is invalid here
   */
  public static Settings parse(String line) throws IOException {
    return settings(null, PlacedValue.ofJson("", line.getBytes(StandardCharsets.UTF_8)));
  }

  private static Settings read(Path file, byte[] content) throws IOException {
    return withSizes(file, settings(file, PlacedValue.ofJson(file.toString(), content)));
  }

  /** The sizes of {@code mlp:64,32}, which some versions did not record, are in a checkpoint. */
  private static Settings withSizes(Path file, Settings recorded) throws IOException {
    String network = recorded.given(NetworkSettings.NETWORK);
    if (network == null || !Networks.isSized(network)) {
      return recorded;
    }
    Path checkpoints = new RunDirectory(file.toAbsolutePath().getParent()).checkpoints();
    return new CheckpointDirectory(checkpoints, Origin.ANY)
        .latest(damaged -> {})
        .map(Checkpoint::layout)
        .map(layout -> recorded.with(NetworkSettings.NETWORK, Networks.restored(network, layout)))
        .orElse(recorded);
  }

  /**
   * The options of a run that is run again: its values, and no commands, hosts and directories.
   * Those of schemes hold for schemes that have them.
   *
   * @param file where the content is from
   * @throws UsageException naming file, line and option of every value that is out of range
   * @throws IOException if the content is not JSON, or is of a newer format
   */
  static ConfigFile again(Path file, byte[] content) throws IOException {
    if (file.endsWith("run.json")) {
      new RunDirectory(file.toAbsolutePath().getParent()).read();
    }
    Settings recorded = DerivedValues.removedFrom(read(file, content));
    Settings again = recorded;
    for (Setting<?> setting : TrainSettings.ALL) {
      if (setting.role() != Setting.Role.VALUE) {
        again = again.without(setting);
      }
    }
    for (Setting<?> option : Schemes.ALL.options()) {
      again = again.without(option);
    }
    // The costs that were measured are there as numbers.
    return new ConfigFile(again.without(SimSettings.COST), sections(recorded));
  }

  private static Map<String, Settings> sections(Settings recorded) {
    Map<String, Settings> sections = new HashMap<>();
    for (Schemes.Entry scheme : Schemes.ALL.all()) {
      Settings own = Settings.NONE;
      for (Setting<?> option : scheme.options()) {
        own = recorded.has(option) ? own.with(option, recorded) : own;
      }
      sections.put(scheme.name(), own);
    }
    return sections;
  }

  /** Whether a file describes a run: a JSON object with a {@code configuration}. */
  static boolean describesRun(byte[] content) {
    try (JsonParser json = JSON.createParser(content)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean options = json.currentName().equals(CONFIGURATION);
        if (json.nextToken() == JsonToken.START_OBJECT && options) {
          return true;
        }
        json.skipChildren();
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The options in a description of a run.
   *
   * @param file where it is from; null for what the launcher has read from the command line
   */
  private static Settings settings(Path file, PlacedValue run) {
    List<String> problems = new ArrayList<>();
    Settings.Reader given = new Settings.Reader();
    run.each(
        (section, options) -> {
          if (section.equals(CONFIGURATION)) {
            options.each((name, value) -> put(given, file, name, value, problems));
          }
        });
    UsageException.expectNone(problems.stream().map(ConfigFile::inOneLine).toList());
    return given.settings();
  }

  private static void put(
      Settings.Reader given, Path file, String name, PlacedValue value, List<String> problems) {
    Setting<?> setting = TrainSettings.settingNamed(name);
    if (setting != null && !value.isNone()) {
      String place = file == null ? Settings.COMMAND_LINE : value.place();
      String where = (file == null ? "--" : place + ": --") + setting.name();
      given.put(setting, where, value.option(), place, problems);
    }
  }
}
