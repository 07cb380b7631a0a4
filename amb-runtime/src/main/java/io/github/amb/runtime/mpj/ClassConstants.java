package io.github.amb.runtime.mpj;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Replaces a string in a class file's constant pool, and so one class that the code names. */
final class ClassConstants {
  private static final int MAGIC = 0xCAFEBABE;
  private static final int UTF8 = 1;
  private static final int INTEGER = 3;
  private static final int FLOAT = 4;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;
  private static final int STRING = 8;
  private static final int METHOD_HANDLE = 15;
  private static final int METHOD_TYPE = 16;
  private static final int MODULE = 19;
  private static final int PACKAGE = 20;

  private ClassConstants() {}

  /**
   * A copy of a class file in which every constant {@code from} is {@code to}.
   *
   * @throws IOException if it is no class file, or has no such constant
   */
  static byte[] replace(byte[] classFile, String from, String to) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length + to.length());
    DataOutputStream out = new DataOutputStream(bytes);
    if (in.readInt() != MAGIC) {
      throw new IOException("expected a class file, found other bytes");
    }
    out.writeInt(MAGIC);
    out.writeInt(in.readInt());
    int count = in.readUnsignedShort();
    out.writeShort(count);
    boolean found = false;
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == UTF8) {
        String text = in.readUTF();
        found |= text.equals(from);
        out.writeUTF(text.equals(from) ? to : text);
      } else {
        out.write(in.readNBytes(length(tag)));
        i += isDouble(tag) ? 1 : 0;
      }
    }
    if (!found) {
      throw new IOException("expected a class that names " + from + ", found none");
    }
    in.transferTo(out);
    return bytes.toByteArray();
  }

  /** Whether a constant takes two places. */
  static boolean isDouble(int tag) {
    return tag == LONG || tag == DOUBLE;
  }

  /** Bytes of a constant, other than a text, behind its tag. */
  static int length(int tag) throws IOException {
    return switch (tag) {
      case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> 2;
      case METHOD_HANDLE -> 3;
      case INTEGER, FLOAT, 9, 10, 11, 12, 17, 18 -> 4;
      case LONG, DOUBLE -> 8;
      default -> throw new IOException("expected a constant of a class file, found tag " + tag);
    };
  }
}
