package io.github.amb.models.device;

import io.github.amb.core.option.UsageException;

/** A device that has too little memory, does not answer, or lacks what a network needs. */
public final class DeviceException extends UsageException {
  public DeviceException(String message, Object... arguments) {
    super(message, arguments);
  }
}
