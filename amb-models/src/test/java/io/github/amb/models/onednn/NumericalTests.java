package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.OneDnn;
import java.io.PrintWriter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs this module's tests with the tag {@code numerical}; exits with 1 if one fails. */
final class NumericalTests {
  private NumericalTests() {}

  public static void main(String[] arguments) {
    var summary = new SummaryGeneratingListener();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectPackage("io.github.amb.models"))
            .filters(TagFilter.includeTags("numerical"))
            .build();
    LauncherFactory.create().execute(request, summary);
    summary.getSummary().printFailuresTo(new PrintWriter(System.out, true));
    System.out.println("oneDNN: " + OneDnn.instructions());
    System.out.println("passed: " + summary.getSummary().getTestsSucceededCount());
    System.exit(summary.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
  }
}
