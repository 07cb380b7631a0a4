package io.github.amb.core.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  private static final List<String> KNOWN = List.of("mnist", "fashion-mnist", "cifar10", "blobs");

  @ParameterizedTest
  @CsvSource({
    "mnits, mnist",
    "mnsit, mnist",
    "mnst, mnist",
    "fashion_mnist, fashion-mnist",
    "fash, fashion-mnist",
    "cifar, cifar10",
    "cifar-10, cifar10",
    "blob, blobs"
  })
  void aNearNameIsSuggested(String found, String meant) {
    assertEquals(", did you mean '" + meant + "'?", Suggestion.forName(found, KNOWN));
  }

  @ParameterizedTest
  @CsvSource({"imagenet", "x", "''", "fa"})
  void withoutANearNameAllAreListed(String found) {
    assertEquals(
        "; expected one of mnist, fashion-mnist, cifar10, blobs", Suggestion.forName(found, KNOWN));
  }

  @Test
  void twoLettersThatChangedPlacesAreOneMistake() {
    assertEquals(", did you mean 'fmb'?", Suggestion.forName("fbm", List.of("fmb", "amb")));
    assertEquals(", did you mean 'topk'?", Suggestion.forName("tpok", List.of("topk", "qsgd")));
  }

  @Test
  void theNearestOfSeveralNamesIsSuggested() {
    assertEquals(
        ", did you mean 'ksync'?", Suggestion.forName("ksinc", List.of("async", "sync", "ksync")));
  }

  @Property(tries = 200)
  void anyTextGetsAnAnswer(@ForAll String found) {
    String answer = Suggestion.forName(found, KNOWN);
    assertTrue(answer.startsWith(", did you mean '") || answer.startsWith("; expected one of "));
  }

  @Test
  void aUsageExceptionHasOneLinePerProblem() {
    assertEquals("a\nb", new UsageException(List.of("a", "b")).getMessage());
    assertEquals("a", new UsageException("a").getMessage());
  }

  @Test
  void aNameThatBeginsSoIsMeant() {
    assertEquals(
        ", did you mean 'resnet18'?",
        Suggestion.forName("resnet", List.of("lenet", "resnet18", "resnet18-v1")));
  }
}
