package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntConsumer;

/** Each byte of a file is a token, whatever the file is. */
final class ByteTokens implements Tokenizer {
  private static final int VALUES = 256;

  @Override
  public int size() {
    return VALUES;
  }

  @Override
  public int[] encode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int[] tokens = new int[bytes.length];
    Arrays.setAll(tokens, i -> bytes[i] & 0xff);
    return tokens;
  }

  @Override
  public byte[] bytes(int token) {
    return new byte[] {(byte) token};
  }

  @Override
  public void read(Path file, IntConsumer symbols) throws IOException {
    try (InputStream in = new BufferedInputStream(BoundedFile.open(file), 1 << 16)) {
      for (int b = in.read(); b >= 0; b = in.read()) {
        symbols.accept(b);
      }
    }
  }
}
