package io.github.amb.runtime.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.github.amb.core.file.Reading;
import io.github.amb.runtime.net.Channel;
import io.github.amb.runtime.net.MalformedFrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

/** Encodes records as JSON, each in one way alone. */
final class RecordCodec {
  /** Maximum bytes of a record: the table of a generation of several thousand ranks. */
  static final int LONGEST = Channel.LONGEST;

  /** Maximum bytes of a text in UTF-8; a longer one is truncated. */
  static final int LONGEST_TEXT = 4096;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .withConfigOverride(
              String.class, text -> text.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL)))
          .addModule(new SimpleModule().addSerializer(new Text()))
          .registerSubtypes(
              Stream.of(ControlRecord.class, RankReport.class, Order.class)
                  .flatMap(type -> Stream.of(type.getPermittedSubclasses()))
                  .toArray(Class<?>[]::new))
          .build();

  private RecordCodec() {}

  /** Encodes a record. */
  static byte[] encode(ControlRecord record) {
    return Reading.certain(() -> JSON.writerFor(ControlRecord.class).writeValueAsBytes(record));
  }

  /**
   * Decodes a record.
   *
   * @throws MalformedFrameException if the bytes are not exactly one record, as {@link #encode}
   *     writes it
   */
  static ControlRecord decode(byte[] bytes) throws MalformedFrameException {
    ControlRecord record;
    try {
      record = JSON.readValue(bytes, ControlRecord.class);
    } catch (IOException e) {
      throw new MalformedFrameException("expected a record, found: " + e.getMessage());
    }
    if (record == null || !Arrays.equals(bytes, encode(record))) {
      throw new MalformedFrameException(
          "expected a record as this build writes it, found other bytes for " + record);
    }
    return record;
  }

  /** Stops a text before the first character for which there is no room. */
  private static final class Text extends StdSerializer<String> {
    Text() {
      super(String.class);
    }

    @Override
    public void serialize(String text, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(LONGEST_TEXT);
      CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
      encoder.onMalformedInput(CodingErrorAction.REPLACE);
      encoder.encode(CharBuffer.wrap(text), bytes, true);
      out.writeString(StandardCharsets.UTF_8.decode(bytes.flip()).toString());
    }
  }
}
