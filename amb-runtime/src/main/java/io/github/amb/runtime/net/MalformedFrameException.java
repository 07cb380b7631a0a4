package io.github.amb.runtime.net;

import java.io.IOException;

/** What has arrived is not what an end of a connection of this run sends. */
public class MalformedFrameException extends IOException {
  /** Says what was expected and what was found. */
  public MalformedFrameException(String message) {
    super(message);
  }
}
