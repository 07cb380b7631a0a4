package io.github.amb.runtime.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseTest {
  private static final String NAME = ".lock-";

  @TempDir Path directory;

  private Path freeLock(String number) throws IOException {
    return Files.writeString(directory.resolve(NAME + number), Lease.FREE + "\n");
  }

  @Test
  void onlyNumbersThatALockWritesAreLocks() throws IOException {
    for (String name : new String[] {"0", "01", "1x", "1" + "0".repeat(18)}) {
      freeLock(name);
      assertFalse(Lease.isOf(NAME, NAME + name), name);
    }
    assertNull(Lease.newest(directory, NAME));
    freeLock("7");
    assertEquals(7, Lease.newest(directory, NAME).number());
  }

  @Test
  void aLockFollowsOneOfNineDigits() throws IOException {
    Path older = freeLock("999999999");
    try (RunLock lock = RunLock.training(new RunDirectory(directory))) {
      assertTrue(Lease.newest(directory, NAME).isOf(lock.token()));
      assertEquals(1_000_000_000, Lease.newest(directory, NAME).number());
    }
    assertTrue(Files.notExists(older));
  }

  @Test
  void aLockThatNoOtherCanFollowIsNamed() throws IOException {
    Path last = freeLock("9".repeat(18));
    UsageException e =
        assertThrows(UsageException.class, () -> RunLock.training(new RunDirectory(directory)));
    assertEquals(last + ": expected a lock with a lower number; remove it", e.getMessage());
  }
}
