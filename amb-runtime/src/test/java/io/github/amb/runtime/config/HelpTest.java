package io.github.amb.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HelpTest {
  @Test
  void everyOptionIsThereWithItsRangeDefaultAndMeaning() {
    List<String> lines = Help.text().lines().toList();
    for (Setting<?> setting : TrainSettings.ALL) {
      int line = lines.indexOf("  --" + setting.name() + "  " + setting.help());
      assertTrue(line >= 0, setting.name());
      String range = lines.get(line + 1);
      assertTrue(range.startsWith("      " + setting.range()), range);
      assertEquals(
          setting.fallback() != null, range.contains("; default " + setting.fallback()), range);
      setting.aliases().forEach(alias -> assertTrue(range.contains("--" + alias), range));
    }
    assertTrue(Help.text().contains("--config FILE"));
    assertTrue(Help.text().contains("--print-config"));
  }

  @Test
  void namesThatCanBeChosenAreListed() {
    assertTrue(Help.text().contains("one of mnist, fashion-mnist, cifar10, digits, toy"));
    assertTrue(Help.text().contains("one of fmb, sync, amb"));
    assertTrue(Help.text().contains("one of sgd, mom, rms, adm"));
  }

  @Test
  void noTwoOptionsShareAName() {
    Set<String> names = new HashSet<>(List.of("config", "print-config", "help"));
    for (Setting<?> setting : TrainSettings.ALL) {
      setting.names().forEach(name -> assertTrue(names.add(name), name));
    }
  }

  @Test
  void theConfigurationHasEveryValueDefaultsIncluded() {
    Settings settings = CommandLine.parse(List.of("mnist", "fmb", "rms", "64")).settings();
    List<String> lines = Help.configuration(settings).lines().toList();
    assertTrue(lines.contains("batch-size: 64"), lines.toString());
    assertTrue(lines.contains("workers: 2"), lines.toString());
    assertFalse(lines.toString().contains("null"), lines.toString());
    long valued = settings.all().values().stream().filter(value -> value != null).count();
    assertEquals(valued, lines.stream().filter(line -> line.contains(":")).count());
  }
}
