package io.github.amb.runtime.completion;

import io.github.amb.core.command.Command;
import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.util.List;
import java.util.ServiceLoader;

/**
 * {@code amb completion}: prints the script by which a shell completes command lines of {@code
 * amb}.
 */
public final class CompletionCommand implements Command {
  private static final String USAGE =
      """
      usage: amb completion bash   print a script; try it: source <(amb completion bash)
             amb completion zsh    print a script, to be named _amb in a directory of fpath""";

  @Override
  public String name() {
    return "completion";
  }

  @Override
  public String summary() {
    return "print completion of commands, options and names for bash or zsh";
  }

  @Override
  public List<String> words() {
    return List.of("bash", "zsh");
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
          "amb completion: expected one shell of %s, found %s"
              .formatted(String.join(", ", words()), arguments.isEmpty() ? "none" : arguments));
    }
    if (!words().contains(shell)) {
      throw new UsageException(
          "unknown shell '" + shell + "'" + Suggestion.forName(shell, words()));
    }
    List<Command> commands =
        ServiceLoader.load(Command.class).stream().map(ServiceLoader.Provider::get).toList();
    System.out.print(shell.equals("bash") ? Completion.bash(commands) : Completion.zsh(commands));
    return 0;
  }
}
