package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateMap;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * Encodes text and saved states as payloads of messages, which are floats: a length and as many
 * bytes of text, one per float, then the arrays that the text lists. A 64-bit number takes four
 * floats of 16 bits each.
 */
public final class StateMessages {
  private static final int BITS = 16;
  private static final int PARTS = Long.SIZE / BITS;
  private static final int MAX_TEXT = 1 << 20;

  private StateMessages() {}

  /** Puts text into a message. */
  public static void putText(Message message, String text) {
    put(message, text, new StateMap());
  }

  /**
   * The text of a message.
   *
   * @throws MalformedMessageException if the message has none
   */
  public static String text(Message message) {
    int length = textLength(message);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) message.values()[1 + i];
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Puts a saved state into a message. */
  public static void put(Message message, StateMap state) {
    StringBuilder list = new StringBuilder();
    for (Map.Entry<String, Object> entry : state.entries().entrySet()) {
      Object array = entry.getValue();
      String type = array instanceof float[] ? "f" : array instanceof double[] ? "d" : "l";
      list.append(entry.getKey()).append(' ').append(type).append(' ');
      list.append(Array.getLength(array)).append('\n');
    }
    put(message, list.toString(), state);
  }

  private static void put(Message message, String text, StateMap state) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = 1 + bytes.length;
    for (Object array : state.entries().values()) {
      length = Math.addExact(length, floats(array));
    }
    float[] values = message.ensureCapacity(length);
    values[0] = bytes.length;
    for (int i = 0; i < bytes.length; i++) {
      values[1 + i] = bytes[i];
    }
    int at = 1 + bytes.length;
    for (Object array : state.entries().values()) {
      putArray(values, at, array);
      at += floats(array);
    }
  }

  private static int floats(Object array) {
    int length = Array.getLength(array);
    return array instanceof float[] ? length : Math.multiplyExact(PARTS, length);
  }

  private static void putArray(float[] values, int at, Object array) {
    if (array instanceof float[] floats) {
      System.arraycopy(floats, 0, values, at, floats.length);
      return;
    }
    long[] longs =
        array instanceof double[] doubles
            ? Arrays.stream(doubles).mapToLong(Double::doubleToRawLongBits).toArray()
            : (long[]) array;
    for (int i = 0; i < PARTS * longs.length; i++) {
      values[at + i] = (longs[i / PARTS] >>> (BITS * (i % PARTS))) & 0xFFFF;
    }
  }

  /**
   * The saved state of a message, copied.
   *
   * @throws MalformedMessageException if the message has none
   */
  public static StateMap state(Message message) {
    StateMap state = new StateMap();
    int at = 1 + textLength(message);
    for (String line : text(message).lines().toList()) {
      String[] words = line.split(" ");
      if (words.length != 3 || !words[1].matches("[fdl]") || !words[2].matches("\\d{1,9}")) {
        throw malformed(message, "expected name, type and length of an array, found " + line);
      }
      int length = Integer.parseInt(words[2]);
      long end = at + (words[1].equals("f") ? 1L : PARTS) * length;
      if (end > message.length()) {
        throw malformed(message, "expected " + end + " values, found " + message.length());
      }
      state.put(words[0], array(message.values(), at, words[1], length));
      at = (int) end;
    }
    return state;
  }

  private static Object array(float[] values, int at, String type, int length) {
    if (type.equals("f")) {
      return Arrays.copyOfRange(values, at, at + length);
    }
    long[] longs = new long[length];
    for (int i = 0; i < PARTS * length; i++) {
      longs[i / PARTS] |= ((long) values[at + i] & 0xFFFF) << (BITS * (i % PARTS));
    }
    return type.equals("d")
        ? Arrays.stream(longs).mapToDouble(Double::longBitsToDouble).toArray()
        : longs;
  }

  private static int textLength(Message message) {
    float length = message.length() == 0 ? -1 : message.values()[0];
    if (!(length >= 0 && length <= Math.min(MAX_TEXT, message.length() - 1))) {
      throw malformed(message, "expected the length of a text, found " + length);
    }
    return (int) length;
  }

  private static MalformedMessageException malformed(Message message, String what) {
    return new MalformedMessageException(message.source(), message.kind() + ": " + what);
  }
}
