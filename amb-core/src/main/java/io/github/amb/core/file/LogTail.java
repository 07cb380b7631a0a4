package io.github.amb.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The end of a log, which may be long.
 *
 * @param lines the last complete lines, in order
 */
public record LogTail(List<String> lines) {
  /** Reads the complete lines among the last {@code bytes} bytes of a log. */
  public static LogTail read(Path file, int bytes) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(BoundedFile.expectFile(file))) {
      long begin = Math.max(0, channel.size() - bytes);
      ByteBuffer end = ByteBuffer.allocate((int) (channel.size() - begin));
      channel.position(begin);
      while (end.hasRemaining() && channel.read(end) >= 0) {
        // Read on.
      }
      String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
      int first = begin == 0 ? 0 : text.indexOf('\n') + 1;
      int complete = Math.max(first, text.lastIndexOf('\n') + 1);
      return new LogTail(text.substring(first, complete).lines().toList());
    }
  }
}
