package io.github.amb.runtime.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.runtime.net.MalformedFrameException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
  static List<ControlRecord> records() {
    return List.of(
        new Heartbeat(7, null),
        new Heartbeat(1L << 40, new Heartbeat.Wait(3, 17, 0)),
        new RankReport.Started(4711),
        new RankReport.Ready(),
        new RankReport.Training(),
        new RankReport.Progress("{\"step\":1}"),
        new RankReport.Over(),
        new RankReport.Connecting(2),
        new RankReport.Listening(2, 30_001, 30_002),
        new RankReport.Connected(2),
        new RankReport.Rejected(2, true, List.of("127.0.0.1:5", "::1:6")),
        new RankReport.Malformed(2, 1, "expected 4, found 3"),
        new RankReport.Lost(2),
        new RankReport.Failed(true, "no data: größer als 3 € \uD83D\uDE00"),
        new RankReport.Failed(false, ""),
        new RankReport.Leaving(2, 41),
        new RankReport.Finished(),
        new Order.Form(3, 1, List.of(0, 2, 5), "rank 1 was killed"),
        new Order.Table(3, List.of(new Order.Place("::1", 1, 2), new Order.Place("a", 3, 4))),
        new Order.End(3, "all ranks waited for each other"),
        new Order.Release(3, 2, 41),
        new Order.Leave(),
        new Order.Exit());
  }

  @ParameterizedTest
  @MethodSource("records")
  void recordsAreReadAsWritten(ControlRecord record) throws Exception {
    assertEquals(record, RecordCodec.decode(RecordCodec.encode(record)));
  }

  @ParameterizedTest
  @MethodSource("records")
  void aRecordOfWrongLengthIsRejected(ControlRecord record) {
    byte[] bytes = RecordCodec.encode(record);
    for (int length = 0; length <= bytes.length + 1; length++) {
      byte[] other = Arrays.copyOf(bytes, length);
      if (length != bytes.length) {
        assertThrows(MalformedFrameException.class, () -> RecordCodec.decode(other));
      }
    }
  }

  /** Encoding the decoded record gives the same bytes, so that nothing has two meanings. */
  @Property(tries = 5000)
  void anyBytesAreOneRecordOrRejected(
      @ForAll @Size(max = 64) byte[] any,
      @ForAll @IntRange(max = 1000) int which,
      @ForAll @IntRange(max = 100) int kept) {
    byte[] bytes = RecordCodec.encode(any(which));
    byte[] typed = Arrays.copyOf(bytes, Math.min(kept, bytes.length) + any.length);
    System.arraycopy(any, 0, typed, typed.length - any.length, any.length);
    assertOneOrRejected(any);
    assertOneOrRejected(typed);
  }

  @Property(tries = 2000)
  void changedRecordsAreOtherRecordsOrRejected(
      @ForAll @IntRange(max = 1000) int which, @ForAll int place, @ForAll byte other) {
    byte[] bytes = RecordCodec.encode(any(which));
    bytes[Math.floorMod(place, bytes.length)] = other;
    assertOneOrRejected(bytes);
  }

  private static ControlRecord any(int which) {
    return records().get(which % records().size());
  }

  private static void assertOneOrRejected(byte[] bytes) {
    try {
      assertArrayEquals(bytes, RecordCodec.encode(RecordCodec.decode(bytes)));
    } catch (MalformedFrameException e) {
      assertTrue(e.getMessage().startsWith("expected "), e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "{\"type\":\"Failed\"}",
        "{\"type\":\"Failed\",\"own\":true}",
        "{\"type\":\"Failed\",\"own\":true,\"cause\":null}",
        "{\"type\":\"Failed\",\"own\":true,\"cause\":\"a\",\"cause\":\"b\"}",
        "{\"type\":\"Failed\",\"own\":true,\"cause\":\"a\",\"why\":1}",
        "{\"type\":\"Form\",\"generation\":1,\"rank\":0,\"reason\":\"\"}",
        "{\"type\":\"Rejected\",\"generation\":1,\"formed\":true,\"addresses\":[null]}",
        "{\"type\":\"Lost\",\"generation\":1.5}",
        "{\"type\":\"Lost\"}",
        "{\"type\":\"Java.lang.Object\"}"
      })
  void whatIsNoWholeRecordIsRejected(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThrows(MalformedFrameException.class, () -> RecordCodec.decode(bytes));
  }

  @Test
  void aLongTextIsCutBetweenCharacters() throws Exception {
    String text = "€".repeat(10_000);
    RankReport.Failed read =
        (RankReport.Failed)
            RecordCodec.decode(RecordCodec.encode(new RankReport.Failed(true, text)));
    assertTrue(text.startsWith(read.cause()));
    int bytes = read.cause().getBytes(StandardCharsets.UTF_8).length;
    assertEquals(RecordCodec.LONGEST_TEXT / 3 * 3, bytes);
  }

  @Test
  void theTableOfAThousandRanksFits() {
    Order.Place place = new Order.Place("2001:db8:85a3:1234:5678:8a2e:370:7334", 40_000, 40_000);
    List<Order.Place> places = IntStream.range(0, 1000).mapToObj(rank -> place).toList();
    int bytes = RecordCodec.encode(new Order.Table(1, places)).length;
    assertTrue(bytes < RecordCodec.LONGEST, bytes + " bytes");
  }

  /** The page of files has the type of each record, and no others. */
  @Test
  void thePageHasTheTypes() throws IOException {
    SortedSet<String> page = new TreeSet<>();
    Pattern.compile("(?m)^\\| `\"(\\w+)\"` \\| (?:both|rank|rank 0|launcher) \\|")
        .matcher(
            Files.readString(Path.of("../docs/reference/files.md")).split("## Records between")[1])
        .results()
        .forEach(row -> page.add(row.group(1)));

    SortedSet<String> types = new TreeSet<>();
    for (ControlRecord record : records()) {
      types.add(new ObjectMapper().readTree(RecordCodec.encode(record)).get("type").asText());
    }
    assertEquals(types, page);
  }
}
