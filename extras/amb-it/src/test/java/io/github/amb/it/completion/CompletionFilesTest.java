package io.github.amb.it.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.data.DataSets;
import io.github.amb.runtime.catalog.Completion;
import io.github.amb.runtime.command.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.Option;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Here, because only this module sees every command. */
class CompletionFilesTest {
  private static final Path FILES = Path.of("../../scripts/completion");

  private final List<Command> commands =
      ServiceLoader.load(Command.class).stream().map(ServiceLoader.Provider::get).toList();

  @TempDir Path folder;

  @Test
  void filesAreInStepWithTheCommands() throws IOException {
    String remedy =
        "run scripts/amb completion bash > scripts/completion/amb.bash, zsh > _amb, fish > amb.fish";

    assertEquals(Completion.bash(commands), Files.readString(FILES.resolve("amb.bash")), remedy);
    assertEquals(Completion.zsh(commands), Files.readString(FILES.resolve("_amb")), remedy);
    assertEquals(Completion.fish(commands), Files.readString(FILES.resolve("amb.fish")), remedy);
  }

  @Test
  @Tag("system")
  void bashOffersEveryOptionOfEveryCommand() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash on this machine: not tried");
    for (Command command : commands) {
      TreeSet<String> expected = new TreeSet<>(List.of("--help"));
      for (Option option : command.options().getOptions()) {
        expected.add("--" + option.getLongOpt());
      }

      assertEquals(expected, complete("amb", command.name(), "--"), command.name());
    }
  }

  @Test
  @Tag("system")
  void bashOffersCommandsAndNames() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash on this machine: not tried");

    assertEquals(new TreeSet<>(List.of("plot")), complete("amb", "pl"));
    assertTrue(complete("amb", "plot", "--type", "panel").contains("panel_hist"));
    assertEquals(new TreeSet<>(List.of("mnist")), complete("amb", "train", "mn"));
    assertTrue(complete("amb", "bench", "part").contains("partitions"));
  }

  @Test
  @Tag("system")
  void bashOffersWhatFitsThePlace() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash on this machine: not tried");

    assertEquals(new TreeSet<>(DataSets.ALL.names()), complete("amb", "train", "''"));
    assertEquals(new TreeSet<>(Schemes.ALL.names()), complete("amb", "train", "mnist", "''"));
    assertEquals(
        new TreeSet<>(UpdateRules.ALL.names()), complete("amb", "train", "mnist", "amb", "''"));
    assertTrue(complete("amb", "train", "mnist", "amb", "rms", "64", "''").contains("--seed"));
    assertTrue(complete("amb", "train", "--").contains("--workers"));
  }

  @Test
  @Tag("system")
  void fishOffersWhatFitsThePlace() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/fish")), "no fish on this machine: not tried");

    assertTrue(completeInFish("amb summ").contains("summarize"));
    assertEquals(new TreeSet<>(List.of("mnist")), completeInFish("amb train mn"));
    assertEquals(new TreeSet<>(List.of("k-sync")), completeInFish("amb train mnist k-"));
    assertEquals(new TreeSet<>(List.of("timeline")), completeInFish("amb plot --type timel"));
    assertTrue(completeInFish("amb train mnist amb rms 64 --amb-ti").contains("--amb-time-limit"));
  }

  private TreeSet<String> completeInFish(String line) throws IOException, InterruptedException {
    String script =
        "source '%s'; complete -C '%s'".formatted(FILES.resolve("amb.fish").toAbsolutePath(), line);
    return new TreeSet<>(run(List.of("/usr/bin/fish", "--no-config", "-c", script)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "autoload -Uz compinit; compinit -D -u; source '%s/_amb'",
        "fpath=('%s' $fpath); autoload -Uz compinit; compinit -D -u"
      })
  @Tag("system")
  void zshOffersTheSameWhetherSourcedOrInstalled(String setUp) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "no zsh on this machine: not tried");
    String loading = setUp.formatted(FILES.toAbsolutePath());

    assertEquals("amb summarize ", completeInZsh(loading, "amb summ"));
    assertEquals("amb plot --type timeline ", completeInZsh(loading, "amb plot --type timel"));
    assertEquals("amb train x --amb-time-limit ", completeInZsh(loading, "amb train x --amb-ti"));
    assertEquals("amb bench partitions ", completeInZsh(loading, "amb bench part"));
  }

  /** What an interactive zsh makes of a line when the tabulator key is pressed. */
  private String completeInZsh(String loading, String line)
      throws IOException, InterruptedException {
    String script =
        """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "PS1=; stty -echo; %s; show() { print -r -- \\"<\\$BUFFER>\\" }"
        zpty -w shell 'zle -N show; bindkey "^Y" show; print ready'
        zpty -r shell output '*ready*'
        zpty -w -n shell $'%s\\t\\x19'
        zpty -r shell output $'*<*>*'
        print -r -- "$output"
        """
            .formatted(loading.replace("$", "\\$"), line);
    String output = String.join("\n", run(List.of("/usr/bin/zsh", "-f", "-c", script)));
    return output.substring(output.lastIndexOf('<') + 1, output.lastIndexOf('>'));
  }

  private TreeSet<String> complete(String... words) throws IOException, InterruptedException {
    String script =
        """
        source '%s'
        COMP_WORDS=(%s)
        COMP_CWORD=%d
        _amb
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(
                FILES.resolve("amb.bash").toAbsolutePath(),
                String.join(" ", words),
                words.length - 1);
    return new TreeSet<>(run(List.of("/bin/bash", "-c", script)));
  }

  private List<String> run(List<String> command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process shell =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(shell.waitFor(30, TimeUnit.SECONDS), "ends in time");
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
    return Files.readAllLines(output);
  }
}
