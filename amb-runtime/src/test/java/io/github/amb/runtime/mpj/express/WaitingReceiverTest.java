package io.github.amb.runtime.mpj.express;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.mpj.MessageMemory;
import io.github.amb.runtime.mpj.MpjWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import mpjdev.MPJDevException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Needs MPJ Express. */
@Tag("system")
class WaitingReceiverTest {
  private final List<String> ends = new ArrayList<>();

  @Test
  void theEndOfARankHasNoCause() {
    run(new MPJDevException("the device has ended"));
    assertEquals("[null]", ends.toString());
  }

  @Test
  void whatTheReceiverFailsWithIsTheCause() {
    WaitingReceiver receiver =
        receiver(
            buffer -> {
              throw new OutOfMemoryError("Java heap space");
            });
    receiver.run();
    assertEquals("[no memory to receive from rank 1: Java heap space]", ends.toString());
  }

  private void run(RuntimeException failure) {
    receiver(
            buffer -> {
              throw failure;
            })
        .run();
  }

  private WaitingReceiver receiver(ReceivingComm.Posting posting) {
    return new WaitingReceiver(new ReceivingComm(posting), 1, 100, 0, new Ends());
  }

  private final class Ends implements MpjWorld.Listener {
    @Override
    public MessageMemory next(int from) {
      return null;
    }

    @Override
    public void arrived(int from, ByteBuffer message, int bytes) {}

    @Override
    public void ended(String cause) {
      ends.add(cause);
    }
  }
}
