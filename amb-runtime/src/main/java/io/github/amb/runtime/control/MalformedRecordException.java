package io.github.amb.runtime.control;

import java.io.IOException;

/** Bytes that are neither a record nor a greeting of the control connection. */
public final class MalformedRecordException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedRecordException(String message) {
    super(message);
  }
}
