package io.github.amb.openmpi;

/** Tags of messages. Headers and payloads are matched separately, each in the order sent. */
final class Tags {
  static final int HEAD = 1;
  static final int PAYLOAD = 2;

  private Tags() {}
}
