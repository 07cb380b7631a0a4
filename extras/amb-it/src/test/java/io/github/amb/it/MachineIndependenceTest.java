package io.github.amb.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.github.amb.it.document.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No locale, time zone or encoding of the machine has a say in what the program writes. */
class MachineIndependenceTest {
  private static final Pattern MAIN =
      Pattern.compile("static void main\\(String[^{]*\\{\\s*([^;]*;)");

  /** The second is of a module that has none of ours. */
  private static final Set<String> FIRST =
      Set.of("Program.start();", "Locale.setDefault(Locale.ROOT);");

  /** Methods and constructors that take a locale, time zone or encoding from the machine. */
  private static final Set<String> DEPENDENT =
      Set.of(
          "java.lang.String.format(java.lang.String, [Ljava.lang.Object;)",
          "java.lang.String.toLowerCase()",
          "java.lang.String.toUpperCase()",
          "java.lang.String.getBytes()",
          "java.lang.String.<init>([B)",
          "java.lang.String.<init>([B, int, int)",
          "java.io.PrintStream.printf(java.lang.String, [Ljava.lang.Object;)",
          "java.io.PrintStream.format(java.lang.String, [Ljava.lang.Object;)",
          "java.io.PrintStream.<init>(java.io.OutputStream, boolean)",
          "java.io.PrintWriter.printf(java.lang.String, [Ljava.lang.Object;)",
          "java.io.PrintWriter.format(java.lang.String, [Ljava.lang.Object;)",
          "java.io.ByteArrayOutputStream.toString()",
          "java.io.InputStreamReader.<init>(java.io.InputStream)",
          "java.io.OutputStreamWriter.<init>(java.io.OutputStream)",
          "java.io.FileReader.<init>(java.io.File)",
          "java.io.FileReader.<init>(java.lang.String)",
          "java.io.FileWriter.<init>(java.io.File)",
          "java.io.FileWriter.<init>(java.lang.String)",
          "java.util.Formatter.<init>()",
          "java.util.Formatter.<init>(java.lang.Appendable)",
          "java.util.Scanner.<init>(java.io.InputStream)",
          "java.util.Scanner.<init>(java.nio.file.Path)",
          "java.util.Scanner.<init>(java.io.File)",
          "java.util.Locale.getDefault()",
          "java.util.TimeZone.getDefault()",
          "java.util.Calendar.getInstance()",
          "java.nio.charset.Charset.defaultCharset()",
          "java.text.DecimalFormat.<init>()",
          "java.text.DecimalFormat.<init>(java.lang.String)",
          "java.text.SimpleDateFormat.<init>(java.lang.String)",
          "java.text.NumberFormat.getInstance()",
          "java.text.NumberFormat.getIntegerInstance()",
          "java.text.NumberFormat.getPercentInstance()",
          "java.text.MessageFormat.format(java.lang.String, [Ljava.lang.Object;)",
          "java.text.Collator.getInstance()",
          "java.time.ZoneId.systemDefault()",
          "java.time.LocalDate.now()",
          "java.time.LocalTime.now()",
          "java.time.LocalDateTime.now()",
          "java.time.ZonedDateTime.now()",
          "java.time.OffsetDateTime.now()",
          "java.time.format.DateTimeFormatter.ofPattern(java.lang.String)");

  private static final ArchRule RULE =
      noClasses()
          .should()
          .accessTargetWhere(
              new DescribedPredicate<JavaAccess<?>>("it takes a default of the machine") {
                @Override
                public boolean test(JavaAccess<?> access) {
                  return DEPENDENT.contains(access.getTarget().getFullName());
                }
              });

  private static final List<Path> SOURCES =
      SourceTree.HERE.sources(Path.of("src/main/java")).toList();

  @Test
  void everyMainMakesTheProgramIndependentFirst() throws IOException {
    int mains = 0;
    for (Path source : SOURCES) {
      Matcher main = MAIN.matcher(Files.readString(source));
      if (main.find()) {
        mains++;
        assertTrue(FIRST.contains(main.group(1)), source + ": " + main.group(1));
      }
    }
    assertTrue(mains > 0, "no main class found");
  }

  @Test
  void nothingAsksTheMachineHowToWrite() {
    RULE.check(ProgramClasses.ALL);
  }

  @Test
  void theRuleFindsWhatAsksTheMachine() {
    var found = RULE.evaluate(new ClassFileImporter().importClasses(Asking.class));
    assertEquals(3, found.getFailureReport().getDetails().size(), found.toString());
  }

  /** What the rule is to find. */
  private static final class Asking {
    static String text(byte[] bytes) {
      return new String(bytes).toLowerCase() + String.format("%d", bytes.length);
    }
  }
}
