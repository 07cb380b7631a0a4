package io.github.amb.runtime.train.directory;

import java.nio.file.Path;

/** The run's directory was removed, so that all further records would be lost. */
final class RemovedRunException extends RuntimeException {
  RemovedRunException(Path run) {
    super(
        "%s: expected the directory of this run, found none: it was removed while the run trained"
            .formatted(run));
  }
}
