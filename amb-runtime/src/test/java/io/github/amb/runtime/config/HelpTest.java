package io.github.amb.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.runtime.ReferencePage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HelpTest {
  @Test
  void allHasEveryOptionWithRangeDefaultAndMeaning() {
    String all = inOneLine(Help.text("all"));
    for (Setting<?> setting : TrainSettings.ALL) {
      String entry =
          "--%s %s Value: %s"
              .formatted(
                  String.join(", --", setting.names()),
                  inOneLine(setting.help()),
                  inOneLine(setting.range()));
      String usual = setting.usual();
      String expected = usual.isEmpty() ? entry : entry + "; default " + usual;
      assertTrue(all.contains(expected), expected);
    }
  }

  @Test
  void usageHasEveryGroup() {
    List<String> lines = Help.text("").lines().toList();
    for (OptionGroup group : TrainSettings.GROUPS) {
      assertTrue(
          lines.stream().anyMatch(l -> l.startsWith("  " + group.name() + " ")), group.name());
    }
    assertTrue(lines.size() <= 60, lines.size() + " lines");
  }

  @Test
  void everyTopicFitsEightyColumns() {
    List<String> topics = new ArrayList<>(List.of("", "all", "workers"));
    topics.addAll(Schemes.ALL.names());
    TrainSettings.GROUPS.forEach(group -> topics.add(group.name()));
    for (String topic : topics) {
      Help.text(topic).lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }
  }

  @Test
  void aSchemeHasItsOwnOptionsOnly() {
    String amb = Help.text("amb");
    assertTrue(amb.contains("--amb-time-limit"), amb);
    assertFalse(amb.contains("--num-aggregate"), amb);
    assertTrue(Help.text("fmb").contains("no options of its own"));
  }

  @Test
  void anOptionIsATopicByAnyOfItsNames() {
    assertTrue(Help.text("lr").startsWith("  --learning-rate, --lr"), Help.text("lr"));
    assertEquals(Help.text("log-freq"), Help.text("log_freq"));
  }

  @Test
  void anUnknownTopicIsRejected() {
    var error = assertThrows(UsageException.class, () -> Help.text("rank"));
    assertEquals("--help: unknown topic 'rank', did you mean 'ranks'?", error.getMessage());
  }

  @Test
  void theReferencePageIsCurrent() throws IOException {
    ReferencePage.check("options.md", OptionsPage.text());
  }

  @Test
  void theSchemaIsCurrent() throws IOException {
    ReferencePage.check("config.schema.json", ConfigSchema.text());
  }

  @Test
  void theSchemaHasEveryNameAndSection() throws IOException {
    JsonNode properties = new ObjectMapper().readTree(ConfigSchema.text()).get("properties");
    for (Setting<?> setting : TrainSettings.ALL) {
      boolean isForFiles = setting.role() != Setting.Role.ORDER;
      setting.names().forEach(name -> assertEquals(isForFiles, properties.has(name), name));
    }
    Schemes.ALL.names().forEach(name -> assertTrue(properties.has(name), name));
    assertEquals("integer", properties.get("workers").get("type").asText());
    assertEquals(2, properties.get("workers").get("default").asInt());
    assertEquals("sim", properties.get("engine").get("enum").get(2).asText());
    assertEquals("fmb", properties.at("/scheme/anyOf/0/enum/0").asText());
    assertEquals("number", properties.get("outer-momentum").get("type").asText());
  }

  @Test
  void namesThatCanBeChosenAreListed() {
    String all = inOneLine(Help.text("all"));
    assertTrue(
        all.contains(
            "one of mnist, fashion-mnist, emnist, cifar10, cifar100, optdigits, digits, toy"));
    assertTrue(all.contains("one of fmb, sync, amb"));
    assertTrue(all.contains("one of sgd, mom, rms, adm"));
  }

  @Test
  void noTwoOptionsShareAName() {
    Set<String> names = new HashSet<>(List.of("config", "print-config", "dry-run", "help"));
    for (Setting<?> setting : TrainSettings.ALL) {
      setting.names().forEach(name -> assertTrue(names.add(name), name));
    }
  }

  private static String inOneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
