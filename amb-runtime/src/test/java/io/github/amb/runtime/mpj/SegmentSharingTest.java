package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.amb.core.engine.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentSharingTest {
  @TempDir Path directory;

  private final Peer[] workers = {null, new Peer(1), new Peer(2)};
  private final Message message = new Message().reset(Message.Kind.PARAMETERS, 1);
  private SegmentSharing sharing;

  @AfterEach
  void close() {
    sharing.close();
  }

  @Test
  void theSegmentIsHiddenWhenAllHaveAnswered() throws IOException {
    offer(SegmentAnswer.YES, SegmentAnswer.NONE);
    sharing.place(message, 1);
    assertEquals(1, files());
    workers[2].answered(SegmentAnswer.NO);
    sharing.place(message, 1);
    assertEquals(0, files());
  }

  @Test
  void anUnreadSegmentIsHidden() throws IOException {
    offer(SegmentAnswer.NO, SegmentAnswer.NO);
    assertEquals(ChunkHeader.NO_SLOT, sharing.place(message, 0));
    assertEquals(0, files());
  }

  @Test
  void oneSegmentIsAnnounced() {
    offer(SegmentAnswer.NONE, SegmentAnswer.NONE);
    assertNull(sharing.offer(message));
  }

  private void offer(SegmentAnswer first, SegmentAnswer second) {
    sharing = new SegmentSharing(workers, directory);
    message.ensureCapacity(SegmentSharing.MIN - 1);
    assertNull(sharing.offer(message));
    message.ensureCapacity(SegmentSharing.MIN);
    assertNotNull(sharing.offer(message));
    workers[1].answered(first);
    workers[2].answered(second);
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }
}
