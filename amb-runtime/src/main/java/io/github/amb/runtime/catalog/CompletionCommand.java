package io.github.amb.runtime.catalog;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.command.NamedCommand;
import java.util.List;
import java.util.ServiceLoader;

/**
 * {@code amb completion}: prints the script by which a shell completes command lines of {@code
 * amb}.
 */
public final class CompletionCommand extends NamedCommand {
  private static final String USAGE =
      """
      usage: amb completion bash|zsh|fish
      Prints the completion script of a shell.
      bash: type source <(amb completion bash).
      zsh: save it as _amb in a directory of fpath.
      fish: save it as ~/.config/fish/completions/amb.fish.""";

  /** Prints to standard output. */
  public CompletionCommand() {
    super("completion", "print completion of commands, options and names for bash, zsh or fish");
  }

  @Override
  public List<String> words() {
    return List.of("bash", "zsh", "fish");
  }

  @Override
  public int run(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      System.out.println(USAGE);
      return 0;
    }
    String shell = arguments.size() == 1 ? arguments.get(0) : "";
    if (shell.isEmpty()) {
      throw new UsageException(
          "expected one shell of %s, found %s",
          String.join(", ", words()), arguments.isEmpty() ? "none" : arguments);
    }
    Suggestion.expectKnown("unknown shell", shell, words());
    List<Command> commands =
        ServiceLoader.load(Command.class).stream().map(ServiceLoader.Provider::get).toList();
    System.out.print(
        switch (shell) {
          case "bash" -> Completion.bash(commands);
          case "zsh" -> Completion.zsh(commands);
          default -> Completion.fish(commands);
        });
    return 0;
  }
}
