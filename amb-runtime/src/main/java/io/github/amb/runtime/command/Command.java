package io.github.amb.runtime.command;

import io.github.amb.core.option.UsageException;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Options;

/**
 * One command of the {@code amb} program.
 *
 * <p>A module adds a command by implementing this interface and naming the class in {@code
 * META-INF/services/io.github.amb.runtime.command.Command}.
 */
public interface Command {
  /** The word that the user types after {@code amb}. */
  String name();

  /** One line for {@code amb --help}. */
  String summary();

  /** The command's options, for completion in shells; none by default. */
  default Options options() {
    return new Options();
  }

  /** The possible values of options that have a fixed set of them, by option, for completion. */
  default Map<String, List<String>> values() {
    return Map.of();
  }

  /** The words that may follow the command's name, for completion in shells. */
  default List<String> words() {
    return List.of();
  }

  /** The words that may be the first argument, those that may be the second, and so on. */
  default List<List<String>> wordsByPlace() {
    return words().isEmpty() ? List.of() : List.of(words());
  }

  /**
   * Runs the command.
   *
   * @param arguments what the user typed after the command's name
   * @return the exit code: 0 for success, others as documented in {@code
   *     docs/reference/exit-codes.md}
   * @throws UsageException if the arguments or the files they name are wrong; exit code 2
   * @throws Exception on an internal error; exit code 1
   */
  int run(List<String> arguments) throws Exception;
}
