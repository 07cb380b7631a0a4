package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.CommandsPage;
import io.github.amb.runtime.catalog.CatalogCommand;
import io.github.amb.runtime.command.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Here, because only this module sees every command. */
class ReferencePagesTest {
  static Stream<CatalogCommand<?>> catalogs() {
    return ServiceLoader.load(Command.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(CatalogCommand.class::isInstance)
        .map(command -> (CatalogCommand<?>) command);
  }

  @Test
  void thePageOfCommandsIsCurrent() throws IOException {
    SortedMap<String, Command> commands = new TreeMap<>();
    ServiceLoader.load(Command.class).forEach(command -> commands.put(command.name(), command));

    assertEquals(
        CommandsPage.text(commands.values()),
        Files.readString(Path.of("../../docs/reference/commands.md")),
        "run scripts/reference");
  }

  @ParameterizedTest
  @MethodSource("catalogs")
  void pageIsCurrent(CatalogCommand<?> catalog) throws IOException {
    Path page = Path.of("../../docs/reference", catalog.name() + ".md");

    assertEquals(catalog.markdown(), Files.readString(page), "run scripts/reference");
  }
}
