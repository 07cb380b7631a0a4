package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.models.data.DataSettings;
import io.github.amb.models.network.NetworkSettings;
import io.github.amb.models.python.PythonCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A YAML file of options, one {@code option: value} per line, or the {@code run.json} of a run. The
 * options of a scheme may stand in a section with the scheme's name, which other schemes ignore.
 *
 * <p>Values are taken as they are written, as on the command line, and not as YAML understands
 * them. The items of a list are joined by commas. No file gives a command, a host, an address of
 * ranks or plugins, as somebody else may have written it.
 *
 * @param always options outside sections
 * @param sections options that apply if the scheme of the run has the section's name
 */
public record ConfigFile(Settings always, Map<String, Settings> sections) {
  /**
   * The options in the file.
   *
   * @param file a YAML file, a run directory, or a {@code run.json} under any name. From a run come
   *     values alone, no commands, hosts and directories
   * @param problems receives what is wrong with keys and values
   * @throws UsageException if the file cannot be read or is not YAML
   */
  static ConfigFile read(String file, List<String> problems) {
    try {
      Path path = Path.of(file);
      Path source = Files.isDirectory(path) ? path.resolve("run.json") : path;
      byte[] content = content(source, source == path);
      return RecordedSettings.describesRun(content)
          ? RecordedSettings.again(source, content)
          : read(source.toString(), content, problems);
    } catch (JsonProcessingException e) {
      throw new UsageException("--config: %s: %s", file, FileFailure.text(e));
    } catch (IOException e) {
      throw new UsageException("--config: " + FileFailure.text(e));
    }
  }

  /** Limits the length, as the parser's time grows with the square of a value's length. */
  private static byte[] content(Path file, boolean named) throws IOException {
    return named
        ? BoundedFile.readNamed(file, "a file of options", DataLimits.CONFIG_BYTES)
        : BoundedFile.read(file, "the description of a run", DataLimits.CONFIG_BYTES);
  }

  private static ConfigFile read(String file, byte[] content, List<String> problems)
      throws IOException {
    PlacedValue top = PlacedValue.ofYaml(file, content, "'option: value' lines");
    List<String> found = new ArrayList<>();
    Settings.Reader outside = new Settings.Reader();
    Map<String, Settings> sections = new HashMap<>();
    top.each(
        (key, value) -> {
          Optional<Schemes.Entry> scheme = Schemes.ALL.find(key);
          if (scheme.isPresent() && value.fields() != null) {
            sections.put(scheme.get().name(), section(value, found));
          } else {
            add(outside, key, value, found);
          }
        });
    found.forEach(problem -> problems.add(inOneLine(problem)));
    return new ConfigFile(outside.settings(), sections);
  }

  private static Settings section(PlacedValue section, List<String> problems) {
    Settings.Reader given = new Settings.Reader();
    section.each(
        (key, value) -> {
          if (key.equals(TrainSettings.SCHEME.name())) {
            problems.add(
                value.place() + ": expected no scheme in a section of a scheme, found one");
          }
          add(given, key, value, problems);
        });
    return given.settings();
  }

  /**
   * The options of a training run that a map has, each with its file and line; all others have
   * their defaults. Underscores in names are dashes.
   *
   * @param problems receives a line for each name that is unknown, option that belongs on the
   *     command line alone or is there twice, and value that is out of range
   */
  public static Settings options(Map<String, PlacedValue> map, List<String> problems) {
    Settings.Reader given = new Settings.Reader();
    map.forEach((key, value) -> add(given, key, value, problems));
    return given.settings();
  }

  private static void add(
      Settings.Reader given, String key, PlacedValue value, List<String> problems) {
    String name = key.replace('_', '-');
    Setting<?> setting = CommandLine.byName().get(name);
    String where = value.place() + ": " + key;
    if (setting == null) {
      problems.add(
          "%s: unknown key '%s'%s".formatted(value.place(), key, CommandLine.suggestion(name)));
    } else if (setting.role() == Setting.Role.ORDER) {
      problems.add(
          "%s: expected --%s on the command line, found it in a file"
              .formatted(where, setting.name()));
    } else {
      if (given.has(setting)) {
        problems.add(CommandLine.second(where, value.option()));
      }
      given.put(setting, where, value.option(), value.place(), problems);
      String code =
          setting == DataSettings.DATA_SET || setting == NetworkSettings.NETWORK
              ? PythonCode.problem(where, value.option(), System.getenv())
              : null;
      if (code != null) {
        problems.add(code);
      }
    }
  }

  /** Replaces line ends, which keys and values of a file may have. */
  static String inOneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", " ");
  }

  /**
   * The options of a run.
   *
   * @param scheme of the run; null if it is not known, then no section applies
   */
  Settings of(String scheme) {
    Settings section = scheme == null ? null : sections.get(scheme);
    return section == null ? always : section.over(always);
  }
}
