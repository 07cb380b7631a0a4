package io.github.amb.runtime.runs;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.SlowRecord;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.command.TerminalDevice;
import io.github.amb.runtime.fault.Fault.Kind;
import io.github.amb.runtime.fault.Injected;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.commons.cli.Options;

/**
 * {@code amb campaign}: scores what runs have said, in their records, against the faults that were
 * injected.
 */
public final class CampaignCommand extends OptionsCommand {
  private static final String REMOVED = "removed";
  private static final String LOST = "messages were lost";

  /** What a run says of a fault, by kind; others are not in the records. */
  private static final Map<Kind, String> EXPECTED =
      Map.of(
          Kind.KILL, REMOVED,
          Kind.STALL, REMOVED,
          Kind.PARTITION, REMOVED,
          Kind.THROW, REMOVED,
          Kind.OUT_OF_MEMORY, REMOVED,
          Kind.CORRUPT_MESSAGE, REMOVED,
          Kind.WRONG_KIND, REMOVED,
          Kind.DROP_MESSAGE, LOST,
          Kind.LATE_MESSAGE, LOST,
          Kind.SLOW, SlowRecord.COMPUTING);

  /** What a run has said, of a worker that the text should name. */
  private record Finding(String what, long step, String text) {
    boolean names(int rank) {
      return text.matches("(?s).*\\b(ranks?|worker) ([\\d, ]|and )*\\b" + rank + "\\b.*");
    }
  }

  /** A fault, and what was found; null if nothing was, and the fault if nothing caused it. */
  private record Row(String run, Injected fault, Finding found) {}

  /** Prints to standard output. */
  public CampaignCommand() {
    super("campaign", "RUN...", "score what runs said of the faults that were injected");
  }

  @Override
  public Options options() {
    return Arguments.options(
        "score SHARE  Exit code 1 if a smaller share was named, or anything else.\n");
  }

  @Override
  protected int run(Arguments given) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String name : given.positional()) {
      rows.addAll(rows(RunDirectory.named(name)));
    }
    if (given.positional().isEmpty()) {
      throw new UsageException("expected one or more run directories (runs/<id>), found none");
    }
    double least = Decimal.any(given.value("score", "0"), Double.NaN);
    if (!(least >= 0 && least <= 1)) {
      throw new UsageException("--score: expected 0 to 1, found '%s'", given.value("score", ""));
    }
    List<Column<Row>> columns =
        List.of(
            new Column<>("run", 40, true, Row::run),
            new Column<>("fault", 90, true, row -> row.fault == null ? "none" : row.fault.id()),
            new Column<>("rank", 80, false, row -> number(row.fault, Injected::rank)),
            new Column<>("step", 70, false, row -> number(row.fault, Injected::step)),
            new Column<>("named", 90, true, row -> row.found == null ? "no" : row.found.text));
    out.print(new TextTable<>(columns, rows).text(TerminalDevice.width()));
    long wrong = rows.stream().filter(row -> row.fault == null).count();
    long faults = rows.size() - wrong;
    long named = rows.stream().filter(row -> row.fault != null && row.found != null).count();
    out.println(format("%d of %d faults named with their rank, %d others", named, faults, wrong));
    return named >= least * faults && (least == 0 || wrong == 0) ? 0 : 1;
  }

  private static String number(Injected fault, Function<Injected, Number> of) {
    return fault == null ? "" : of.apply(fault).toString();
  }

  /** Each fault has the first finding of its kind and rank that no other has. */
  private static List<Row> rows(RunDirectory run) throws IOException {
    List<Finding> findings = findings(run);
    List<Row> rows = new ArrayList<>();
    String name = run.path().getFileName().toString();
    for (Injected fault : Injected.all(run.faults())) {
      Kind kind = Kind.valueOf(fault.kind().toUpperCase(Locale.ROOT).replace('-', '_'));
      String what = EXPECTED.get(kind);
      Finding found =
          findings.stream()
              .filter(each -> each.what.equals(what) && each.step >= fault.step() - 1)
              .filter(each -> each.names(fault.rank()))
              .findFirst()
              .orElse(null);
      findings.remove(found);
      boolean brief = kind == Kind.PARTITION && found == null;
      if (what != null && !brief) {
        rows.add(new Row(name, fault, found));
      }
    }
    findings.forEach(finding -> rows.add(new Row(name, null, finding)));
    return rows;
  }

  private static List<Finding> findings(RunDirectory run) throws IOException {
    List<Finding> findings = new ArrayList<>();
    Set<String> slow = new HashSet<>();
    int workers = Integer.parseInt(run.read().configured("workers", "0"));
    Set<Integer> before = new HashSet<>(IntStream.rangeClosed(1, workers).boxed().toList());
    for (LogRecord record : run.masterRecords()) {
      if (record instanceof MembershipRecord change) {
        before.removeAll(change.workers());
        before.forEach(rank -> findings.add(new Finding(REMOVED, change.step(), change.cause())));
        if (change.cause().startsWith(LOST)) {
          findings.add(new Finding(LOST, change.step(), change.cause()));
        }
        before = new HashSet<>(change.workers());
      } else if (record instanceof SlowRecord part && part.slower() && slow.add(part.place())) {
        findings.add(new Finding(part.part(), part.step(), part.toString()));
      }
    }
    return findings;
  }
}
