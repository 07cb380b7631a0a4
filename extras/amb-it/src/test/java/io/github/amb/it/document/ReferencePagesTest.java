package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.command.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Here, because only this module sees every command. */
class ReferencePagesTest {
  private static final Path PAGE = Path.of("../../docs/reference/commands.md");

  /** The page is current; {@code scripts/reference} writes it first. */
  @Test
  void thePageOfCommandsIsCurrent() throws IOException {
    SortedMap<String, Command> commands = new TreeMap<>();
    ServiceLoader.load(Command.class).forEach(command -> commands.put(command.name(), command));
    String text = CommandsPage.text(commands.values());
    if (Boolean.getBoolean("amb.reference")) {
      Files.writeString(PAGE, text);
    }

    assertEquals(text, Files.readString(PAGE), "run scripts/reference");
  }
}
