package io.github.amb.runtime.mpj;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Has a class file's code call a static method in place of one of an object. */
final class ClassCalls {
  private static final int COUNT_AT = 8;
  private static final int UTF8 = 1;
  private static final int CLASS = 7;
  private static final int METHOD = 10;
  private static final int NAME_AND_TYPE = 12;
  private static final byte INVOKE_VIRTUAL = (byte) 0xb6;
  private static final byte INVOKE_STATIC = (byte) 0xb8;
  private static final int INSTRUCTION = 3;

  /** Constants that are added, of which the last is the method. */
  private static final int ADDED = 6;

  private final byte[] file;
  private final int[] at;
  private final int end;

  private ClassCalls(byte[] file) throws IOException {
    this.file = file;
    ByteBuffer in = ByteBuffer.wrap(file).position(COUNT_AT);
    at = new int[in.getShort() & 0xffff];
    for (int i = 1; i < at.length; i++) {
      at[i] = in.position();
      int tag = in.get();
      int length = tag == UTF8 ? in.getShort() & 0xffff : ClassConstants.length(tag);
      in.position(in.position() + length);
      i += ClassConstants.isDouble(tag) ? 1 : 0;
    }
    end = in.position();
  }

  /**
   * A copy of a class file in which calls of {@code name} of objects of class {@code owner} are
   * calls of the static method of that name of {@code target}, whose first parameter is the object.
   *
   * @param descriptor parameters and result of the method that is called
   * @throws IOException if it is no class file, or has no such call
   */
  static byte[] redirect(
      byte[] classFile, String owner, String name, String descriptor, String target)
      throws IOException {
    try {
      ClassCalls calls = new ClassCalls(classFile);
      byte[] code = calls.redirected(calls.find(owner, name, descriptor));
      String own = "(L" + owner + ";" + descriptor.substring(1);
      return calls.with(code, target, name, own);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new IOException("expected a class file, found other bytes", e);
    }
  }

  private int find(String owner, String name, String descriptor) throws IOException {
    for (int i = 1; i < at.length; i++) {
      if (at[i] > 0 && file[at[i]] == METHOD && text(first(first(i))).equals(owner)) {
        int signature = second(i);
        if (text(first(signature)).equals(name) && text(second(signature)).equals(descriptor)) {
          return i;
        }
      }
    }
    throw new IOException("expected a class that calls " + name + " of " + owner + ", found none");
  }

  private int first(int constant) {
    return number(at[constant] + 1);
  }

  private int second(int constant) {
    return number(at[constant] + 3);
  }

  private int number(int position) {
    return (file[position] & 0xff) << 8 | file[position + 1] & 0xff;
  }

  private String text(int constant) {
    int start = at[constant] + 3;
    return new String(file, start, number(start - 2), StandardCharsets.UTF_8);
  }

  /** What follows the constants, with the calls of a method changed. */
  private byte[] redirected(int method) throws IOException {
    byte[] code = Arrays.copyOfRange(file, end, file.length);
    int changed = 0;
    for (int i = end; i + INSTRUCTION <= file.length; i++) {
      if (file[i] == INVOKE_VIRTUAL && number(i + 1) == method) {
        ByteBuffer.wrap(code, i - end, INSTRUCTION)
            .put(INVOKE_STATIC)
            .putShort((short) (at.length + ADDED - 1));
        changed++;
      }
    }
    if (changed == 0) {
      throw new IOException("expected a call of method " + method + ", found none");
    }
    return code;
  }

  private byte[] with(byte[] code, String owner, String name, String descriptor) {
    byte[][] texts = {utf8(owner), utf8(name), utf8(descriptor)};
    int texted = Arrays.stream(texts).mapToInt(text -> 3 + text.length).sum();
    ByteBuffer out = ByteBuffer.allocate(end + texted + 3 + 5 + 5 + code.length);
    out.put(file, 0, end).putShort(COUNT_AT, (short) (at.length + ADDED));
    for (byte[] text : texts) {
      out.put((byte) UTF8).putShort((short) text.length).put(text);
    }
    int next = at.length;
    out.put((byte) CLASS).putShort((short) next);
    out.put((byte) NAME_AND_TYPE).putShort((short) (next + 1)).putShort((short) (next + 2));
    out.put((byte) METHOD).putShort((short) (next + 3)).putShort((short) (next + 4));
    return out.put(code).array();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
