package io.github.amb.runtime.completion;

import io.github.amb.core.command.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;

/** Makes the scripts by which a shell completes command lines of {@code amb}. */
public final class Completion {
  private Completion() {}

  /** The script for bash, to be sourced. */
  public static String bash(List<Command> commands) {
    return """
        # Completion of amb for bash; made by: amb completion bash
        _amb() {
          local current=${COMP_WORDS[COMP_CWORD]} words=
          if [ "$COMP_CWORD" -eq 1 ]; then
            words="%s"
          else
            case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in
        %s    *)
              case "${COMP_WORDS[1]}" in
        %s      esac ;;
            esac
          fi
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        complete -o default -F _amb amb
        """
        .formatted(
            names(commands),
            values(commands, "    \"%s\") words=\"%s\" ;;\n"),
            options(commands, "        %s) words=\"%s\" ;;\n"));
  }

  /**
   * The script for zsh, to be sourced after {@code compinit}, or to be put into a directory of
   * {@code fpath} as {@code _amb}.
   */
  public static String zsh(List<Command> commands) {
    return """
        #compdef amb
        # Completion of amb for zsh; made by: amb completion zsh
        _amb() {
          if (( CURRENT == 2 )); then
            compadd -- %s
            return
          fi
          case "$words[2] $words[CURRENT-1]" in
        %s  esac
          case "$words[2]" in
        %s  esac
          _files
        }
        if [ "$funcstack[1]" = _amb ]; then
          _amb "$@"
        else
          compdef _amb amb
        fi
        """
        .formatted(
            names(commands),
            values(commands, "    \"%s\") compadd -- %s; return ;;\n"),
            options(commands, "    %s) compadd -- %s ;;\n"));
  }

  private static String names(List<Command> commands) {
    return commands.stream().map(Command::name).sorted().collect(Collectors.joining(" "));
  }

  /** A line for each option of each command whose value is one of some words. */
  private static String values(List<Command> commands, String line) {
    TreeMap<String, List<String>> lines = new TreeMap<>();
    for (Command command : commands) {
      command
          .values()
          .forEach((option, values) -> lines.put(command.name() + " --" + option, values));
    }
    return text(lines, line);
  }

  /** A line for each command with options or words of its own. */
  private static String options(List<Command> commands, String line) {
    TreeMap<String, List<String>> lines = new TreeMap<>();
    for (Command command : commands) {
      List<String> words = new ArrayList<>(command.words());
      command.options().getOptions().stream()
          .map(Option::getLongOpt)
          .sorted()
          .forEach(option -> words.add("--" + option));
      words.add("--help");
      lines.put(command.name(), words.stream().distinct().toList());
    }
    return text(lines, line);
  }

  private static String text(Map<String, List<String>> lines, String line) {
    StringBuilder text = new StringBuilder();
    lines.forEach((key, words) -> text.append(line.formatted(key, String.join(" ", words))));
    return text.toString();
  }
}
