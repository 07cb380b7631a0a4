package io.github.amb.runtime.train;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One run of the swarm: options, a campaign, and when the power fails.
 *
 * @param seed that it was drawn from
 * @param scheme its name
 * @param options of {@code amb train}
 * @param workers number of workers
 * @param steps the last step
 * @param faults the entries of the campaign
 * @param cuts at which change of the disk the power fails, by attempt; none with 0
 * @param jitter whether the disk takes a random time
 */
record SwarmCase(
    long seed,
    String scheme,
    String options,
    int workers,
    int steps,
    List<Map<String, String>> faults,
    List<Integer> cuts,
    boolean jitter) {
  /** Examples of a result of {@code fmb}. */
  static final int BATCH = 8;

  private static final List<String> SCHEMES =
      List.of(
          "amb --amb-time-limit 0.1 --amb-num-partitions 4",
          "amb --amb-time-limit auto --amb-num-partitions 4",
          "k-sync --num-aggregate 2",
          "async",
          "ssp --staleness 1",
          "amb-dg --amb-time-limit 0.1 --amb-num-partitions 4",
          "fmb-dg --async-master-batch-min 2",
          "local-sgd --local-steps 2",
          "esync",
          "diloco --local-steps 2",
          "streaming-diloco --local-steps 2 --overlap 0",
          "decoupled-diloco --local-steps 2 --quorum 2 --overlap 0",
          "async-diloco --local-steps 2",
          "noloco --local-steps 2",
          "ringmaster --delay-threshold 2",
          "rennala --gradients-per-update 2",
          "malenia",
          "ringleader",
          "fedavg --local-epochs 0.08",
          "fedprox --local-epochs 0.08",
          "fedbuff --local-epochs 0.08",
          "fedcompass --local-steps-min 1 --local-steps-max 3",
          "scaffold --local-epochs 0.08",
          "anytime-sgd --amb-time-limit 0.1",
          "rescaled-asgd",
          "delay-adaptive",
          "ia2sgd",
          "dcasgd");

  private static final List<String> SYNCHRONOUS =
      List.of("fmb", "amb", "local-sgd", "diloco", "fedavg", "scaffold", "anytime-sgd", "esync");

  private static final List<String> CODECS =
      List.of(
          "none",
          "none",
          "none",
          "topk:0.1+ef+min=1",
          "dgc:0.1+min=1",
          "topk:0.1+ef21+min=1",
          "int8+min=1",
          "powersgd:1+ef+min=1",
          "ef-sign+min=1",
          "qsgd:4+min=1",
          "adacomp:0.1+min=1");

  private static final List<String> KINDS =
      List.of(
          "kill",
          "partition",
          "stall",
          "throw",
          "nan",
          "corrupt-values",
          "stale-result",
          "slow",
          "clock-jump",
          "corrupt-message",
          "wrong-kind",
          "drop-message",
          "drop-message",
          "duplicate-message",
          "late-message",
          "disk-full",
          "disk-error",
          "checkpoint-missing",
          "checkpoint-truncated",
          "checkpoint-spoilt");

  /** Kinds after which the members, and so the updates, may differ. */
  static final List<String> REMOVING =
      List.of("kill", "stall", "throw", "corrupt-message", "wrong-kind");

  private static final String SLICED = " --topology sliced";

  private static final List<String> WRONG = List.of("nan", "corrupt-values", "stale-result");

  static SwarmCase draw(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    boolean fmb = random.nextInt(5) < 2;
    String words = fmb ? "fmb" : pick(SCHEMES, random);
    String scheme = words.split(" ")[0];
    int workers = fmb ? 3 : 2 + random.nextInt(3);
    int steps = fmb ? 8 : 5 + random.nextInt(8);
    StringBuilder options = new StringBuilder();
    String rule = fmb || scheme.startsWith("amb") ? pick(List.of("sgd", "rms"), random) : "sgd";
    options.append("logistic ").append(scheme).append(' ').append(rule).append(' ').append(BATCH);
    options.append(words.substring(scheme.length()));
    options.append(" --network logistic-regression:l2=0.001 --engine sim --workers ");
    options.append(workers).append(" --cost-per-example 0.02 --evaluate last --test-size 8");
    options.append(" --codec ").append(codec(scheme, random));
    boolean encodes = !scheme.matches(".*loco|dcasgd") && random.nextInt(4) == 0;
    options.append(encodes ? " --downlink-codec topk:0.2+min=1" : "");
    List<Map<String, String>> faults = new ArrayList<>();
    for (int i = random.nextInt(7); i > 0; i--) {
      faults.add(fault(random, workers, steps));
    }
    List<Integer> cuts = new ArrayList<>();
    for (int i = Math.max(0, random.nextInt(5) - 2); i > 0; i--) {
      cuts.add(random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(120));
    }
    options.append(" --checkpoint-every ").append(1 + random.nextInt(3));
    options.append(" --checkpoint-keep ").append(1 + random.nextInt(3));
    options.append(random.nextInt(3) > 0 ? " --non-finite drop" : "");
    options.append(" --respawn ").append(random.nextInt(3));
    options.append(" --dead-after ").append(pick(List.of("0.3", "1", "3"), random));
    options.append(" --stall-after ").append(pick(List.of("3", "6"), random));
    options.append(fmb ? "" : pick(List.of("", " --induce 0.05,0.02,1"), random));
    boolean jitter = random.nextInt(4) == 0;
    boolean sums = fmb || words.startsWith("amb --amb-time-limit");
    String drawn = options.toString();
    if (sums && random.nextInt(3) == 0) {
      String whole = " --codec (powersgd|adacomp|topk:0.1.ef21)[^ ]*";
      drawn = drawn.replaceFirst(whole, "").replace(" --non-finite drop", "") + SLICED;
    }
    return new SwarmCase(seed, scheme, drawn, workers, steps, faults, cuts, jitter);
  }

  private static String codec(String scheme, Random random) {
    String codec = pick(CODECS, random);
    boolean unfit =
        scheme.contains("diloco") && codec.startsWith("dgc")
            || scheme.equals("dcasgd") && codec.startsWith("adacomp")
            || scheme.matches("scaffold|noloco");
    return unfit ? "none" : codec;
  }

  private static Map<String, String> fault(Random random, int workers, int steps) {
    Map<String, String> fault = new LinkedHashMap<>();
    String kind = pick(KINDS, random);
    fault.put("kind", kind);
    boolean disk = kind.startsWith("disk") || kind.startsWith("checkpoint");
    if (!disk) {
      fault.put("rank", random.nextInt(4) == 0 ? "any" : "" + (1 + random.nextInt(workers)));
    }
    if (random.nextInt(5) == 0) {
      String event = pick(List.of("joined ", "removed "), random);
      fault.put("when", event + (1 + random.nextInt(workers)));
      fault.put("step", "" + (1 + random.nextInt(2)));
    } else if (random.nextInt(4) == 0) {
      fault.put("step", "1-" + steps);
      fault.put("probability", "0.3");
      fault.put("times", "3");
    } else {
      fault.put("step", "" + (1 + random.nextInt(steps)));
    }
    if (disk && !kind.startsWith("checkpoint") || kind.equals("slow")) {
      fault.put("steps", "" + (1 + random.nextInt(4)));
    }
    if (kind.equals("slow")) {
      fault.put("factor", pick(List.of("1", "2", "5"), random));
    } else if (kind.equals("corrupt-values")) {
      fault.put("factor", pick(List.of("-1", "0", "3"), random));
    }
    if (random.nextInt(4) == 0) {
      fault.put("incident", "one");
    }
    return fault;
  }

  private static <T> T pick(List<T> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }

  /** The campaign file that repeats it, with the rest as comments. */
  String file() {
    return "# amb train %s --last-step %d\n# changes of the disk at which the power fails: %s\n"
            .formatted(options, steps, cuts)
        + "version: 1\nfaults:\n"
        + faults.stream()
            .map(
                fault ->
                    fault.entrySet().stream()
                        .map(field -> field.getKey() + ": " + field.getValue())
                        .collect(Collectors.joining(", ", "  - {", "}\n")))
            .collect(Collectors.joining());
  }

  /** The cases that are simpler by one thing. */
  List<SwarmCase> simpler() {
    List<SwarmCase> simpler = new ArrayList<>();
    for (int i = 0; i < faults.size(); i++) {
      List<Map<String, String>> fewer = new ArrayList<>(faults);
      fewer.remove(i);
      simpler.add(with(fewer, cuts, options));
      for (String key : List.of("probability", "incident", "when")) {
        if (faults.get(i).containsKey(key)) {
          Map<String, String> plain = new LinkedHashMap<>(faults.get(i));
          plain.remove(key);
          plain.remove("times");
          List<Map<String, String>> other = new ArrayList<>(faults);
          other.set(i, plain);
          simpler.add(with(other, cuts, options));
        }
      }
    }
    if (!cuts.isEmpty()) {
      simpler.add(with(faults, cuts.subList(0, cuts.size() - 1), options));
    }
    for (String option :
        List.of("--topology", "--codec", "--downlink-codec", "--induce", "--respawn")) {
      simpler.add(with(faults, cuts, options.replaceFirst(" " + option + " [^ ]+", "")));
    }
    return simpler.stream().filter(other -> !other.equals(this)).toList();
  }

  private SwarmCase with(List<Map<String, String>> other, List<Integer> power, String words) {
    return new SwarmCase(seed, scheme, words, workers, steps, other, power, jitter);
  }

  /** How many checkpoints are kept. */
  int keep() {
    return Integer.parseInt(options.replaceFirst(".*--checkpoint-keep (\\d+).*", "$1"));
  }

  boolean has(String kind) {
    return faults.stream().anyMatch(fault -> fault.get("kind").startsWith(kind));
  }

  /**
   * The case that must end with the same bits, without what may change none; null if there is none.
   * Workers that die in a step are missing in both, if no replacement comes at some time. A
   * checkpoint of a generation that has ended lacks what codecs remember at workers.
   */
  SwarmCase alike() {
    boolean resumes = !cuts.isEmpty() || has("disk") || has("checkpoint");
    boolean remembers = !options.matches(".* --codec (none|int8|qsgd).*");
    boolean ends = has("drop-message") || has("late-message");
    boolean wrong = faults.stream().anyMatch(fault -> WRONG.contains(fault.get("kind")));
    boolean timed = faults.stream().anyMatch(fault -> fault.containsKey("when"));
    boolean differs = mayRemove() && (timed || resumes || !options.contains("--respawn 0"));
    if (!scheme.equals("fmb") || wrong || differs || remembers && resumes && ends) {
      return null;
    }
    // Each draws by its place in the campaign.
    Map<String, String> nothing = Map.of("kind", "slow", "rank", "1", "step", "1", "factor", "1");
    List<Map<String, String>> removing =
        faults.stream()
            .map(fault -> REMOVING.contains(fault.get("kind")) ? fault : nothing)
            .toList();
    String plain = options.replaceAll(" --checkpoint-\\w+ [^ ]+", "");
    boolean encodes = plain.matches(".* --codec (?!none).*");
    plain = mayRemove() || encodes ? plain : plain.replace(SLICED, "");
    return new SwarmCase(
        seed, scheme, plain, workers, steps, mayRemove() ? removing : List.of(), List.of(), false);
  }

  /** Whether each update has one result of each member. */
  boolean isSynchronous() {
    return SYNCHRONOUS.contains(scheme);
  }

  /** The workers at the start. */
  List<Integer> everyone() {
    return IntStream.rangeClosed(1, workers).boxed().toList();
  }

  /** Workers that faults may remove. */
  boolean mayRemove() {
    return faults.stream().anyMatch(fault -> REMOVING.contains(fault.get("kind")));
  }

  /** Whether NaN ends the run. */
  boolean mayDiverge() {
    return has("nan") && !options.contains("--non-finite drop");
  }

  /** Virtual seconds that it may take at most: each step slow and repeated, each fault awaited. */
  double limit() {
    double step = 10 * 8 * 0.02 * 8 + 1;
    double occurrences = 3.0 * faults.size() * workers;
    return steps * step + occurrences * (6 + 3 + step);
  }
}
