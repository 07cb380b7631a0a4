package io.github.amb.runtime.catalog;

import io.github.amb.runtime.command.Command;
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
          local current=${COMP_WORDS[COMP_CWORD]} words= place=1 word
          if [ "$COMP_CWORD" -eq 1 ]; then
            words="%s"
          else
            for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}" "$current"; do
              case "$word" in -*) place=options ;; esac
            done
            [ "$place" = options ] || place=$((COMP_CWORD - 1))
            case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in
        %s    *)
              case "${COMP_WORDS[1]} $place" in
        %s      *)
                case "${COMP_WORDS[1]}" in
        %s        esac ;;
              esac ;;
            esac
          fi
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        complete -o default -F _amb amb
        """
        .formatted(
            names(commands),
            text(values(commands), "    \"%s\") words=\"%s\" ;;\n"),
            text(places(commands), "      \"%s\") words=\"%s\" ;;\n"),
            text(options(commands), "          %s) words=\"%s\" ;;\n"));
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
          local -a dashed=(${(M)words[3,CURRENT]:#-*})
          if (( ! $#dashed )); then
            case "$words[2] $((CURRENT - 2))" in
        %s    esac
          fi
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
            text(values(commands), "    \"%s\") compadd -- %s; return ;;\n"),
            text(places(commands), "      \"%s\") compadd -- %s; _files; return ;;\n"),
            text(options(commands), "    %s) compadd -- %s ;;\n"));
  }

  /** The script for fish, for {@code ~/.config/fish/completions/amb.fish}. */
  public static String fish(List<Command> commands) {
    return """
        # Completion of amb for fish; made by: amb completion fish
        function __amb_at
          set -l line (commandline -opc)
          string match -q -- '-*' $line (commandline -ct); and return 1
          test "$line[2] "(math (count $line) - 1) = "$argv"
        end
        function __amb_after
          set -l line (commandline -opc)
          test "$line[2] $line[-1]" = "$argv"
        end
        complete -c amb -n "test (count (commandline -opc)) = 1" -f -a "%s"
        %s%s%s"""
        .formatted(
            names(commands),
            text(values(commands), "complete -c amb -n \"__amb_after %s\" -f -a \"%s\"\n"),
            text(places(commands), "complete -c amb -n \"__amb_at %s\" -a \"%s\"\n"),
            text(
                options(commands),
                "complete -c amb -n \"__fish_seen_subcommand_from %s\" -a \"%s\"\n"));
  }

  private static String names(List<Command> commands) {
    return commands.stream().map(Command::name).sorted().collect(Collectors.joining(" "));
  }

  /** By command and option: the words that may be its value. */
  private static Map<String, List<String>> values(List<Command> commands) {
    TreeMap<String, List<String>> lines = new TreeMap<>();
    for (Command command : commands) {
      command
          .values()
          .forEach((option, values) -> lines.put(command.name() + " --" + option, values));
    }
    return lines;
  }

  /** By command and place, counted from 1: the words that may stand there. */
  private static Map<String, List<String>> places(List<Command> commands) {
    TreeMap<String, List<String>> lines = new TreeMap<>();
    for (Command command : commands) {
      List<List<String>> places = command.wordsByPlace();
      for (int place = 1; place <= places.size(); place++) {
        lines.put(command.name() + " " + place, places.get(place - 1));
      }
    }
    return lines;
  }

  private static Map<String, List<String>> options(List<Command> commands) {
    TreeMap<String, List<String>> lines = new TreeMap<>();
    for (Command command : commands) {
      List<String> words = new ArrayList<>();
      command.options().getOptions().stream()
          .map(Option::getLongOpt)
          .sorted()
          .forEach(option -> words.add("--" + option));
      words.add("--help");
      lines.put(command.name(), words.stream().distinct().toList());
    }
    return lines;
  }

  private static String text(Map<String, List<String>> lines, String line) {
    StringBuilder text = new StringBuilder();
    lines.forEach((key, words) -> text.append(line.formatted(key, String.join(" ", words))));
    return text.toString();
  }
}
