package io.github.amb.core.command;

import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Options;

/**
 * One command of the {@code amb} program.
 *
 * <p>A module adds a command by implementing this interface and naming the class in {@code
 * META-INF/services/io.github.amb.core.command.Command}.
 */
public interface Command {
  /** What the user types after {@code amb}. */
  String name();

  /** One line for {@code amb --help}. */
  String summary();

  /** Its options, for completion in shells; none unless a command says so. */
  default Options options() {
    return new Options();
  }

  /** What may follow an option that takes one of some words, for completion in shells. */
  default Map<String, List<String>> values() {
    return Map.of();
  }

  /** The words that may come after its name, for completion in shells. */
  default List<String> words() {
    return List.of();
  }

  /**
   * Runs the command.
   *
   * @param arguments what the user typed after the command's name
   * @return the exit code: 0 done, other values as documented in the README
   * @throws UsageException if the arguments or the files they name are wrong; exit code 2
   * @throws Exception on an internal error; exit code 1
   */
  int run(List<String> arguments) throws Exception;
}
