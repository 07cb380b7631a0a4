package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Folder;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A disk that rejects, delays or spoils a run's records and checkpoints while a fault lasts. */
public final class FaultyDisk implements Disk, Consumer<LogRecord> {
  private final RankFaults faults;
  private final Disk beneath;
  private volatile List<Fault> lasting = List.of();
  private volatile double time;

  /**
   * @param faults of the master
   * @param beneath the disk to ask while no fault lasts
   */
  public FaultyDisk(RankFaults faults, Disk beneath) {
    this.beneath = beneath;
    this.faults = faults;
  }

  /** Takes the current step from the records. */
  @Override
  public void accept(LogRecord record) {
    if (record instanceof StepRecord done && !faults.isEmpty()) {
      faults.reached(done.step());
      time = done.time();
      lasting = faults.lasting(Fault.Place.DISK, done.step(), done.time());
    }
  }

  @Override
  public void check() throws IOException {
    for (Fault fault : lasting) {
      switch (fault.kind()) {
        case DISK_FULL -> throw new IOException("No space left on device (injected)");
        case DISK_ERROR -> throw new IOException("Input/output error (injected)");
        default -> LockSupport.parkNanos(Clock.nanos(fault.amount()));
      }
    }
    beneath.check();
  }

  @Override
  public void written(Path checkpoint, long step) throws IOException {
    for (Fault fault : faults.due(Fault.Place.DISK, step, time)) {
      if (fault.kind() == Fault.Kind.CHECKPOINT_MISSING) {
        Disk.REAL.delete(checkpoint);
      } else {
        spoil(fault.kind(), checkpoint);
      }
    }
    beneath.written(checkpoint, step);
  }

  private static void spoil(Fault.Kind kind, Path checkpoint) throws IOException {
    if (Files.notExists(checkpoint)) {
      return;
    }
    Path largest =
        Folder.entries(checkpoint).stream()
            .max(Comparator.comparingLong(file -> file.toFile().length()))
            .orElseThrow();
    try (FileChannel file =
        FileChannel.open(largest, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long middle = file.size() / 2;
      if (kind == Fault.Kind.CHECKPOINT_TRUNCATED) {
        file.truncate(middle);
      } else {
        ByteBuffer one = ByteBuffer.allocate(1);
        file.read(one, middle);
        one.put(0, (byte) (one.get(0) ^ 1)).flip();
        file.write(one, middle);
      }
    }
  }
}
