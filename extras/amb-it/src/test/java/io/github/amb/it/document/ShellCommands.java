package io.github.amb.it.document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the scripts, commands and options of a page's command lines exist. */
final class ShellCommands {
  private static final Pattern TOKEN =
      Pattern.compile("(?:\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|\\\\.|[^\\s\"'\\\\])+");
  private static final Pattern SEPARATOR = Pattern.compile("\\|\\|?|&&|;|&");

  /** An end of line that is not between double quotes. */
  private static final Pattern LINE_END = Pattern.compile("\n(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");

  private static final Set<String> AMB = Set.of("scripts/amb", "bin/amb", "amb");
  private static final Set<String> MAVEN = Set.of("mvn", "scripts/build", "scripts/test");
  private static final Set<String> TRAINING =
      Set.of("scripts/amb-srun", "scripts/amb-rank", "io.github.amb.runtime.Train");

  private final SourceTree tree;
  private final AmbCommand amb;
  private final MavenCommand maven;
  private final Set<String> foreign;

  /**
   * @param foreign options of other programs that documents may name
   */
  ShellCommands(SourceTree tree, Collection<String> foreign) {
    this.tree = tree;
    this.amb = new AmbCommand(tree);
    this.maven = new MavenCommand(tree);
    this.foreign = Set.copyOf(foreign);
  }

  /** Problems of a page's blocks of shell commands, and of commands and options in its text. */
  List<String> problems(MarkdownPage page) {
    List<String> problems = new ArrayList<>();
    for (MarkdownPage.Block block : page.blocks()) {
      if (Set.of("sh", "bash").contains(block.language())) {
        script(block.lines()).forEach(p -> problems.add(Prose.at(page, block.line()) + p));
      }
    }
    for (MarkdownPage.Found code : page.codes()) {
      inText(code.text()).forEach(p -> problems.add(Prose.at(page, code.line()) + p));
    }
    return problems;
  }

  List<String> script(List<String> lines) {
    List<String> problems = new ArrayList<>();
    for (String line : LINE_END.split(String.join("\n", lines).replace("\\\n", " "))) {
      problems.addAll(line(line.replaceFirst("^\\$ ", "")));
    }
    return problems;
  }

  private List<String> inText(String code) {
    String[] words = code.split("\\s+");
    boolean isAmb = words.length > 1 && AMB.contains(words[0]) && AmbCommand.isCommand(words[1]);
    if (isAmb || words[0].startsWith("scripts/")) {
      return line(code);
    }
    boolean unknown =
        AmbCommand.isOption(words[0])
            && !foreign.contains(words[0])
            && !amb.isOptionOfAny(words[0])
            && !tree.scriptsHave(words[0]);
    return unknown ? List.of("no command has the option " + words[0]) : List.of();
  }

  private List<String> line(String line) {
    List<String> problems = new ArrayList<>();
    List<String> words = new ArrayList<>();
    Matcher token = TOKEN.matcher(line);
    while (token.find() && !token.group().startsWith("#")) {
      String word = token.group();
      if (SEPARATOR.matcher(word).matches() || word.endsWith(";")) {
        words.add(word.replaceFirst(";$", ""));
        problems.addAll(command(words));
        words.clear();
      } else {
        words.add(word);
      }
    }
    problems.addAll(command(words));
    return problems;
  }

  /** The program may come after others, such as a launcher, and after variables. */
  private List<String> command(List<String> words) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      List<String> rest = words.subList(i + 1, words.size());
      problems.addAll(quoted(word));
      if (word.startsWith("scripts/") && !tree.has(word)) {
        problems.add("no script " + word);
      } else if (AMB.contains(word) && (i == 0 || !word.equals("amb"))) {
        problems.addAll(amb.problems(rest));
        return problems;
      } else if (TRAINING.contains(word)) {
        problems.addAll(amb.unknown("train", rest));
        return problems;
      } else if (MAVEN.contains(word)) {
        problems.addAll(maven.problems(word, rest));
        return problems;
      }
    }
    return problems;
  }

  /** A command in single quotes, or options in a variable. */
  private List<String> quoted(String word) {
    if (!word.contains(" ") || !word.startsWith("'") && !word.contains("=\"")) {
      return List.of();
    }
    String text = word.replaceFirst("^[^'\"]*['\"]", "").replaceFirst("['\"]$", "").strip();
    return text.startsWith("--") ? amb.unknown("train", List.of(text.split("\\s+"))) : line(text);
  }
}
