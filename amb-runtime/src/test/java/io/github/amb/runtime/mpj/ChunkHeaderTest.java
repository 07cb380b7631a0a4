package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.WireHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChunkHeaderTest {
  private static final int LIMIT = 1000;
  private static final int FROM = 3;

  private final ChunkHeader header = new ChunkHeader();

  @Property
  void whatIsPutIsGot(
      @ForAll Message.Kind kind,
      @ForAll long step,
      @ForAll long examples,
      @ForAll @DoubleRange double stat,
      @ForAll long number,
      @ForAll int rank,
      @ForAll boolean wanted,
      @ForAll @IntRange(max = LIMIT) int length) {
    Message message = new Message().reset(kind, step);
    message.examples(examples);
    message.stat(Message.MAX_STATS - 1, stat);
    message.number(number);
    message.count(~number);
    message.nonFiniteFrom(rank);
    message.stateWanted(wanted);
    message.ensureCapacity(length);
    ByteBuffer chunk = chunk(message, 0, length);
    header.get(chunk, ChunkHeader.BYTES + 4 * length, FROM, LIMIT);
    Message copy = new Message();
    WireHeader.copyTo(chunk, copy, FROM);
    assertEquals(kind, copy.kind());
    assertEquals(step, copy.step());
    assertEquals(examples, copy.examples());
    assertEquals(stat, copy.stat(Message.MAX_STATS - 1));
    assertEquals(0, copy.stat(0));
    assertEquals(number, copy.number());
    assertEquals(~number, copy.count());
    assertEquals(rank, copy.nonFiniteFrom());
    assertEquals(wanted, copy.isStateWanted());
    assertEquals(FROM, copy.source());
    assertEquals(length, header.length);
  }

  @Property
  void aChangedHeaderStaysWithinBounds(
      @ForAll @IntRange(max = ChunkHeader.BYTES - 4) int at,
      @ForAll int value,
      @ForAll @IntRange(max = 2 * LIMIT) int length) {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.ensureCapacity(Math.min(length, LIMIT));
    ByteBuffer chunk = chunk(message, 0, message.length());
    chunk.putInt(at, value);
    rejectsOrStaysWithinBounds(chunk, ChunkHeader.BYTES + 4 * message.length());
  }

  @Property
  void arbitraryBytesStayWithinBounds(@ForAll byte[] bytes) {
    ByteBuffer chunk = buffer(bytes.length);
    chunk.put(0, bytes);
    rejectsOrStaysWithinBounds(chunk, bytes.length);
  }

  private void rejectsOrStaysWithinBounds(ByteBuffer chunk, int bytes) {
    try {
      header.get(chunk, bytes, FROM, LIMIT);
    } catch (EngineException e) {
      assertTrue(e.getMessage().startsWith("malformed message from rank 3: expected "));
      return;
    }
    assertTrue(header.length >= 0 && header.length <= LIMIT);
    assertTrue(header.offset >= 0 && header.offset + header.count <= header.length);
    assertEquals(bytes, ChunkHeader.BYTES + 4 * header.count);
  }

  @Test
  void lengthOfTwoGigabytesIsRejected() {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    ByteBuffer chunk = chunk(message, 0, 0);
    chunk.putInt(12, Integer.MAX_VALUE);
    assertRejected("expected number of floats 0 to 1000, found 2147483647", chunk, 0);
  }

  @Test
  void otherVersionIsRejected() {
    ByteBuffer chunk = chunk(new Message(), 0, 0);
    chunk.putInt(0, WireHeader.MAGIC + 1);
    assertRejected(
        "expected a header of version 5 (414d4205), found version 6, 414d4206", chunk, 0);
    chunk.putInt(0, 0);
    assertRejected("expected a header of version 5 (414d4205), found 00000000", chunk, 0);
  }

  @Test
  void foreignSourceIsRejected() {
    ByteBuffer chunk = chunk(new Message(), 0, 0);
    chunk.putInt(4, FROM + 1);
    assertRejected("expected source 3, found 4", chunk, 0);
  }

  @Test
  void unknownKindIsRejected() {
    ByteBuffer chunk = chunk(new Message(), 0, 0);
    int kinds = Message.Kind.values().length;
    chunk.putInt(8, kinds);
    assertRejected("expected kind 0 to " + (kinds - 1) + ", found " + kinds, chunk, 0);
  }

  @Test
  void emptyChunkOfAPayloadIsRejected() {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.ensureCapacity(5);
    assertRejected("expected floats in the chunk 1 to 3, found 0", chunk(message, 2, 0), 0);
  }

  @Test
  void truncatedChunkIsRejected() {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.ensureCapacity(5);
    assertRejected("expected length in bytes 212, found 208", chunk(message, 0, 5), 4);
    assertRejected("expected length in bytes 192 to", chunk(message, 0, 0), -1);
  }

  private void assertRejected(String part, ByteBuffer chunk, int floats) {
    EngineException rejection =
        assertThrows(
            EngineException.class,
            () -> header.get(chunk, ChunkHeader.BYTES + 4 * floats, FROM, LIMIT));
    assertTrue(rejection.getMessage().contains(part), rejection.getMessage());
  }

  private static ByteBuffer chunk(Message message, int offset, int count) {
    ByteBuffer chunk = buffer(ChunkHeader.BYTES + 4 * count);
    Arrays.fill(message.values(), 1);
    ChunkHeader.put(chunk, FROM, message);
    ChunkHeader.putPart(chunk, offset, count);
    ChunkHeader.putReceiver(chunk, 0, SegmentAnswer.NONE);
    return chunk;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(Math.max(bytes, ChunkHeader.BYTES))
        .order(ByteOrder.nativeOrder());
  }

  @Test
  void thePageHasTheVersionAndTheLength() throws IOException {
    int end = 0;
    for (MatchResult row : rows()) {
      assertEquals(end, Integer.parseInt(row.group(1)), row.group());
      end += Integer.parseInt(row.group(2));
    }

    assertEquals(ChunkHeader.BYTES, end);
    assertTrue(page().contains("header of " + end + " bytes"));
    assertTrue(page().contains("version of the format, " + (WireHeader.MAGIC & 0xFF) + " |"));
  }

  @Test
  void thePageHasTheFields() throws IOException {
    Message message = new Message().reset(Message.Kind.DELTA, 11);
    message.examples(12);
    message.count(17);
    message.number(18);
    message.nonFiniteFrom(19);
    message.stateWanted(true);
    message.stat(0, 13);
    message.ensureCapacity(14);
    ByteBuffer chunk = chunk(message, 2, 5);
    ChunkHeader.putReceiver(chunk, 15, SegmentAnswer.values()[1]);
    ChunkHeader.putSlot(chunk, 16);

    assertEquals(FROM, chunk.getInt(at("rank of the sender")));
    assertEquals(Message.Kind.DELTA.ordinal(), chunk.getInt(at("kind of message")));
    assertEquals(11, chunk.getLong(at("step")));
    assertEquals(12, chunk.getLong(at("examples")));
    assertEquals(13, chunk.getDouble(at("twelve doubles")));
    assertEquals(17, chunk.getLong(at("in a count")));
    assertEquals(18, chunk.getLong(at("number of the message")));
    assertEquals(19, chunk.getLong(at("with a reduced payload")));
    assertEquals(1, chunk.getLong(at("from the master, 1")));
    assertEquals(14, chunk.getInt(at("floats of the whole message")));
    assertEquals(2, chunk.getInt(at("index of the first float")));
    assertEquals(5, chunk.getInt(at("floats of this chunk")));
    assertEquals(15, chunk.getLong(at("how many messages")));
    assertEquals(16, chunk.getInt(at("slot")));
    assertEquals(1, chunk.getInt(at("answer")));
  }

  /** Where the page of files says that a field is. */
  private static int at(String field) throws IOException {
    return rows().stream()
        .filter(row -> row.group(3).startsWith(field))
        .mapToInt(row -> Integer.parseInt(row.group(1)))
        .findFirst()
        .orElseThrow();
  }

  private static List<MatchResult> rows() throws IOException {
    Pattern row = Pattern.compile("(?m)^\\| (\\d+) \\| (\\d+) \\| (.*) \\|$");
    return row.matcher(page()).results().toList();
  }

  /** What the page of files says of the header. */
  private static String page() throws IOException {
    String page = Files.readString(Path.of("../docs/reference/files.md"));
    return page.split("## Messages between ranks")[1].split("\\| kind \\| name")[0];
  }
}
