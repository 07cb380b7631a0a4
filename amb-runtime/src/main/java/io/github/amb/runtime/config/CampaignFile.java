package io.github.amb.runtime.config;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.runtime.fault.Fault;
import io.github.amb.runtime.fault.Fault.Event;
import io.github.amb.runtime.fault.Fault.Kind;
import io.github.amb.runtime.fault.Fault.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Reads the value of {@code --inject}: a YAML file of faults, or the same faults in one line, as
 * {@code kill:rank=2,step=50;slow:rank=any,step=1-100,factor=10}. Both have the same keys.
 */
public record CampaignFile(long seed, int workers, long lastStep, List<String> problems) {
  private static final String OPTION = "--inject";
  private static final int VERSION = 1;
  private static final double USUAL_FACTOR = 10;
  private static final double MAX_AMOUNT = 1e6;

  /** Occurrences of one fault, and steps that one is drawn for. */
  private static final long MAX_STARTS = 1_000_000;

  private static final Pattern STEPS = Pattern.compile("(\\d+)(?:-(\\d+))?");
  private static final Pattern EVENT = Pattern.compile("(joined|removed)[ -](\\d{1,9})");
  private static final Pattern NAME = Pattern.compile("[\\w.-]*");

  /**
   * The faults of a campaign. Each draws from a random stream of its own, and those of an incident
   * draw their steps from the same, so that equal runs have equal faults.
   *
   * @param given a file's name or one line
   * @param seed of the run, for a campaign without one
   * @param workers number of workers, among which {@code any} is drawn
   * @param lastStep the run's last step; 0 if it has none
   * @throws UsageException listing all that is wrong, each with its place
   */
  public static List<Fault> faults(String given, long seed, int workers, long lastStep) {
    CampaignFile file = new CampaignFile(seed, workers, lastStep, new ArrayList<>());
    List<PlacedValue> entries = file.entries(given);
    List<Fault> faults = new ArrayList<>();
    for (PlacedValue entry : entries) {
      Fault fault = file.fault(entry, faults.size());
      if (fault != null) {
        faults.add(fault);
      }
    }
    UsageException.expectNone(file.problems);
    return List.copyOf(faults);
  }

  /** The same campaign in one line, which ranks on other hosts can read, too. */
  static String inOneLine(String given) {
    return new CampaignFile(0, 0, 0, new ArrayList<>())
        .entries(given).stream().map(CampaignFile::text).collect(Collectors.joining(";"));
  }

  /** The settings with their campaign in one line; it must have passed {@link #faults}. */
  public static Settings inOneLine(Settings settings, Setting<String> inject) {
    return settings.has(inject) && isFile(settings.get(inject))
        ? settings.with(inject, inOneLine(settings.get(inject)))
        : settings;
  }

  private static boolean isFile(String given) {
    return given.endsWith(".yaml") || given.endsWith(".yml");
  }

  private static String text(PlacedValue entry) {
    Map<String, PlacedValue> fields = new LinkedHashMap<>(entry.fields());
    return fields.remove("kind").text()
        + ":"
        + fields.entrySet().stream()
            .map(field -> field.getKey() + "=" + field.getValue().option().replace(',', '+'))
            .collect(Collectors.joining(","));
  }

  private List<PlacedValue> entries(String given) {
    if (isFile(given)) {
      return fileEntries(given);
    }
    List<PlacedValue> entries = new ArrayList<>();
    for (String part : given.replaceAll("\\s", " ").split(";")) {
      String place = OPTION + " '" + part.strip() + "'";
      Map<String, PlacedValue> fields = new LinkedHashMap<>();
      String[] halves = part.split(":", 2);
      String kind = halves[0].strip().replaceFirst("-frame$", "-message"); // the old name
      fields.put("kind", scalar(place, kind));
      for (String pair : halves.length < 2 ? new String[0] : halves[1].split(",")) {
        String[] both = pair.split("=", 2);
        String value = both.length == 2 ? both[1].strip() : "";
        if (fields.put(both[0].strip(), scalar(place, value)) != null) {
          problems.add(place + ": expected each key once, found " + both[0].strip() + " again");
        }
      }
      entries.add(new PlacedValue(place, null, null, fields));
    }
    return entries;
  }

  private static PlacedValue scalar(String place, String text) {
    return new PlacedValue(place, text, null, null);
  }

  private List<PlacedValue> fileEntries(String name) {
    try {
      byte[] content = BoundedFile.readNamed(name, "a campaign", DataLimits.CONFIG_BYTES);
      PlacedValue top = PlacedValue.ofYaml(name, content, "'key: value' lines");
      YamlSection section = new YamlSection(top, "", problems);
      if (section.whole("version", 0, 1) != VERSION) {
        section.problem("version", "expected 'version: " + VERSION + "'");
      }
      PlacedValue seeded = section.get("seed");
      List<PlacedValue> entries = new ArrayList<>();
      for (PlacedValue item : section.items("faults")) {
        Map<String, PlacedValue> fields = new LinkedHashMap<>();
        item.each(fields::put);
        if (seeded != null && item.fields() != null) {
          fields.putIfAbsent("seed", seeded);
        }
        entries.add(
            new PlacedValue(
                item.place(), item.text(), item.items(), item.fields() == null ? null : fields));
      }
      if (entries.isEmpty()) {
        section.problem("faults", "expected at least one fault, found none");
      }
      section.end();
      return entries;
    } catch (IOException e) {
      throw new UsageException(OPTION + ": " + FileFailure.text(e));
    }
  }

  /** A fault, or null if something is wrong with it. */
  private Fault fault(PlacedValue entry, int index) {
    int before = problems.size();
    YamlSection at = new YamlSection(entry, "", problems);
    Kind kind = at.one("kind", null, List.of(Kind.values()));
    if (problems.size() > before) {
      return null;
    }
    String incident = name(at, "incident", "");
    Streams streams = new Streams((long) at.number("seed", seed, Double.NEGATIVE_INFINITY));
    UniformRandomProvider own = streams.stream("fault", 0, index);
    SortedSet<Integer> ranks =
        kind.place() == Place.DISK ? new TreeSet<>(List.of(0)) : ranks(at, own);
    UniformRandomProvider random =
        incident.isEmpty() ? own : streams.stream("incident", 0, incident.hashCode());
    Event when = event(at);
    List<Long> starts = starts(at, when, random);
    double steps = Double.POSITIVE_INFINITY;
    if (kind.lasts()) {
      steps = at.whole("steps", Long.MAX_VALUE, 1);
      steps = steps >= Long.MAX_VALUE ? Double.POSITIVE_INFINITY : steps;
      if (starts.size() > 1 && steps == Double.POSITIVE_INFINITY) {
        at.problem("steps", "expected how long each occurrence lasts, found none");
      }
    }
    Fault fault =
        new Fault(
            name(at, "id", kind + "-" + (index + 1)),
            incident,
            kind,
            ranks,
            when,
            starts,
            steps,
            amount(at, kind));
    at.end();
    return problems.size() > before ? null : fault;
  }

  private static String name(YamlSection at, String key, String otherwise) {
    String name = at.text(key, otherwise);
    if (!NAME.matcher(name).matches()) {
      at.problem(key, "expected letters, digits, '.', '_' and '-', found '" + name + "'");
    }
    return name;
  }

  private static double amount(YamlSection at, Kind kind) {
    boolean factor = kind == Kind.SLOW || kind == Kind.CORRUPT_VALUES;
    boolean seconds = kind == Kind.CLOCK_JUMP || kind == Kind.DISK_SLOW || kind == Kind.PARTITION;
    if (!factor && !seconds) {
      return 0;
    }
    String key = factor ? "factor" : "seconds";
    double least =
        kind == Kind.SLOW ? 1 : kind == Kind.CORRUPT_VALUES ? Double.NEGATIVE_INFINITY : 0;
    double amount = at.number(key, factor ? USUAL_FACTOR : 1, least);
    if (Math.abs(amount) > MAX_AMOUNT) {
      at.problem(key, "expected at most %s, found %s".formatted(MAX_AMOUNT, amount));
    }
    return amount;
  }

  private SortedSet<Integer> ranks(YamlSection at, UniformRandomProvider random) {
    PlacedValue given = at.get("rank");
    String text = given == null || given.option() == null ? "" : given.option().strip();
    SortedSet<Integer> ranks = new TreeSet<>();
    if (text.equals("any") && workers > 0) {
      ranks.add(1 + random.nextInt(workers));
      return ranks;
    }
    try {
      for (String rank : text.split("[,+]")) {
        ranks.add(Decimal.integer(rank.strip()));
      }
    } catch (NumberFormatException e) {
      ranks.clear();
    }
    if (ranks.isEmpty() || ranks.first() < 1 || ranks.last() > workers) {
      at.problem(
          "rank",
          workers == 0
              ? "expected a fault of a worker, found --workers 0"
              : "expected 1 to %d, the number of workers, or any, found '%s'"
                  .formatted(workers, text));
    }
    return ranks;
  }

  private Event event(YamlSection at) {
    String text = at.text("when", "");
    Matcher event = EVENT.matcher(text);
    if (text.isEmpty()) {
      return null;
    }
    int rank = event.matches() ? Decimal.integer(event.group(2)) : 0;
    if (rank >= 1 && rank <= workers) {
      return new Event(event.group(1).equals("joined"), rank);
    }
    at.problem(
        "when",
        "expected 'joined R' or 'removed R' of rank 1 to %d, found '%s'".formatted(workers, text));
    return null;
  }

  private List<Long> starts(YamlSection at, Event when, UniformRandomProvider random) {
    String text = at.text("step", when == null ? "" : "1");
    double probability = at.number("probability", Double.NaN, 0);
    boolean drawn = !Double.isNaN(probability);
    long every = at.whole("every", 0, 1);
    long times = at.whole("times", drawn ? MAX_STARTS : 1, 1);
    if (probability > 1) {
      at.problem("probability", "expected 0 to 1, found " + probability);
    } else if (drawn && every > 0 || !drawn && every == 0 && times > 1) {
      at.problem("every", "expected 'every: N' beside 'times', or a probability, found otherwise");
    } else if (times > MAX_STARTS) {
      at.problem("times", "expected at most %d, found %d".formatted(MAX_STARTS, times));
    } else {
      Matcher range = STEPS.matcher(text);
      try {
        long first = range.matches() ? Decimal.whole(range.group(1)) : 0;
        long last = first > 0 && range.group(2) != null ? Decimal.whole(range.group(2)) : first;
        long end = Math.addExact(last, Math.multiplyExact(every, times));
        if (first >= 1 && last >= first && end < Long.MAX_VALUE / 2) {
          return starts(at, when, first, last, probability, every, times, random);
        }
      } catch (NumberFormatException | ArithmeticException e) {
        // Told below.
      }
      at.problem("step", "expected S, or A-B, from 1, found '" + text + "'");
    }
    return List.of();
  }

  private List<Long> starts(
      YamlSection at,
      Event when,
      long first,
      long last,
      double probability,
      long every,
      long times,
      UniformRandomProvider random) {
    List<Long> starts = new ArrayList<>();
    if (Double.isNaN(probability)) {
      long start = first == last ? first : random.nextLong(first, last + 1);
      for (long k = 0; k < times; k++) {
        starts.add(start + k * every);
      }
    } else if (last - first < MAX_STARTS) {
      for (long step = first; step <= last && starts.size() < times; step++) {
        if (random.nextDouble() < probability) {
          starts.add(step);
        }
      }
    } else {
      at.problem("step", "expected at most %d steps to draw for".formatted(MAX_STARTS));
    }
    if (when == null && lastStep > 0 && !starts.isEmpty() && starts.get(0) > lastStep) {
      at.problem(
          "step",
          "expected a step up to --last-step %d, found %d, which is never reached"
              .formatted(lastStep, starts.get(0)));
    }
    return List.copyOf(starts);
  }
}
