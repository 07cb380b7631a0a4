package io.github.amb.runtime.catalog;

import io.github.amb.runtime.ReferencePage;
import io.github.amb.runtime.command.Command;
import java.io.IOException;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogPagesTest {
  static Stream<CatalogCommand<?>> catalogs() {
    return ServiceLoader.load(Command.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(CatalogCommand.class::isInstance)
        .map(command -> (CatalogCommand<?>) command);
  }

  @ParameterizedTest
  @MethodSource("catalogs")
  void thePageIsCurrent(CatalogCommand<?> catalog) throws IOException {
    ReferencePage.check(catalog.name() + ".md", new CatalogPage<>(catalog).text());
  }
}
