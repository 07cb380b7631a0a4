package io.github.amb.it.document;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The structure of a Mermaid diagram: its kind, what it declares and what it uses. */
final class Diagram {
  private static final Pattern FLOWCHART = Pattern.compile("flowchart (LR|RL|TB|TD|BT)");
  private static final Pattern NODE =
      Pattern.compile("\\b([A-Za-z]\\w*)\\s*[\\[({]+\"[^\"]*\"[\\])}]+");
  private static final Pattern ARROW =
      Pattern.compile("\\s*(?:<?--+>?|-\\.->|==+>|---)\\s*(?:\\|[^|]*\\|\\s*)?");
  private static final Pattern SUBGRAPH = Pattern.compile("subgraph (\\w+)(\\[\"[^\"]*\"\\])?");
  private static final Pattern PARTICIPANT =
      Pattern.compile("(?:participant|actor) (\\w+)(?: as .+)?");
  private static final Pattern SENT =
      Pattern.compile("(\\w+)(?:-->>|->>|--x|-x|-\\)|--\\))[+-]?(\\w+): \\S.*");
  private static final Pattern NOTE =
      Pattern.compile("[Nn]ote (?:over|left of|right of) (\\w+)(?:, ?(\\w+))?: \\S.*");
  private static final Pattern OPENS =
      Pattern.compile("(?:loop|alt|opt|par|critical|rect)(?: .*)?");
  private static final Pattern BRANCHES = Pattern.compile("(?:else|and|option)(?: .*)?");
  private static final Pattern GANTT_SETTING =
      Pattern.compile("(?:title|dateFormat|axisFormat|tickInterval|section|todayMarker) \\S.*");
  private static final Pattern GANTT_TASK =
      Pattern.compile(
          "[^:]+:(?: ?(?:crit|done|active|milestone),)* ?(?:(\\w+), ?)?(?:after (\\w+)|\\d+), ?\\d+\\w?");

  private final List<String> problems = new ArrayList<>();
  private final Set<String> declared = new HashSet<>();
  private final Set<String> used = new LinkedHashSet<>();

  private Diagram() {}

  static List<String> problems(List<String> lines) {
    List<String> content =
        lines.stream().map(String::strip).filter(l -> !l.isEmpty() && !l.startsWith("%%")).toList();
    return new Diagram().check(content);
  }

  private List<String> check(List<String> lines) {
    String kind = lines.isEmpty() ? "" : lines.get(0);
    List<String> rest = lines.subList(Math.min(1, lines.size()), lines.size());
    rest.forEach(this::brackets);
    if (FLOWCHART.matcher(kind).matches()) {
      rest.forEach(this::flowchart);
      ends(rest, SUBGRAPH);
    } else if (kind.equals("sequenceDiagram")) {
      rest.forEach(this::sequence);
      ends(rest, OPENS);
    } else if (kind.equals("gantt")) {
      rest.forEach(this::gantt);
    } else {
      problems.add("expected flowchart, sequenceDiagram or gantt, found '" + kind + "'");
    }
    used.stream()
        .filter(name -> !declared.contains(name))
        .forEach(name -> problems.add("'" + name + "' is used and not declared"));
    return problems;
  }

  private void flowchart(String line) {
    Matcher subgraph = SUBGRAPH.matcher(line);
    if (subgraph.matches()) {
      declared.add(subgraph.group(1));
    } else if (!line.equals("end") && !line.startsWith("direction ")) {
      NODE.matcher(line).results().forEach(node -> declared.add(node.group(1)));
      for (String group : ARROW.split(NODE.matcher(line).replaceAll("$1"))) {
        for (String name : group.split("&")) {
          name(name.strip(), line);
        }
      }
    }
  }

  private void name(String name, String line) {
    if (name.matches("\\w+")) {
      used.add(name);
    } else {
      problems.add("expected nodes and arrows, found '" + line + "'");
    }
  }

  private void sequence(String line) {
    if (line.contains(";")) {
      problems.add("a semicolon, which ends a statement: '" + line + "'");
    }
    Matcher participant = PARTICIPANT.matcher(line);
    Matcher sent = SENT.matcher(line);
    Matcher note = NOTE.matcher(line);
    if (participant.matches()) {
      declared.add(participant.group(1));
    } else if (sent.matches()) {
      used.add(sent.group(1));
      used.add(sent.group(2));
    } else if (note.matches()) {
      used.add(note.group(1));
      used.add(note.group(2) == null ? note.group(1) : note.group(2));
    } else if (!line.equals("end")
        && !line.equals("autonumber")
        && !OPENS.matcher(line).matches()
        && !BRANCHES.matcher(line).matches()) {
      problems.add("expected a participant, a message or a note, found '" + line + "'");
    }
  }

  private void gantt(String line) {
    Matcher task = GANTT_TASK.matcher(line);
    if (task.matches()) {
      if (task.group(1) != null) {
        declared.add(task.group(1));
      }
      if (task.group(2) != null) {
        used.add(task.group(2));
      }
    } else if (!GANTT_SETTING.matcher(line).matches()) {
      problems.add("expected a section or a task with start and length, found '" + line + "'");
    }
  }

  private void ends(List<String> lines, Pattern opens) {
    int depth = 0;
    for (String line : lines) {
      if (line.equals("end")) {
        depth--;
      } else if (opens.matcher(line).matches()) {
        depth++;
      }
      if (depth < 0) {
        problems.add("'end' without a beginning");
        return;
      }
    }
    if (depth > 0) {
      problems.add("expected 'end', found the end of the diagram");
    }
  }

  private void brackets(String line) {
    Deque<Integer> open = new ArrayDeque<>();
    boolean quoted = false;
    for (int c : line.replaceAll("-+[)x]", "").chars().toArray()) {
      int closes = "([{".indexOf(c);
      int of = ")]}".indexOf(c);
      if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && closes >= 0) {
        open.push(closes);
      } else if (!quoted && of >= 0 && (open.isEmpty() || open.pop() != of)) {
        problems.add("brackets that do not match: '" + line + "'");
        return;
      }
    }
    if (quoted || !open.isEmpty()) {
      problems.add("brackets or quotes that are not closed: '" + line + "'");
    }
  }
}
