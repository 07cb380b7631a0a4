package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** This process is no rank, and has no secret. */
class RunSecretTest {
  @Test
  void aMissingSecretIsReported() {
    assertTrue(RunSecret.lackOf("niodev").startsWith("these ranks have no secret"));
  }

  @Test
  void hybdevIsKnownToAskForNoProof() {
    assertTrue(RunSecret.lackOf("hybdev").startsWith("device hybdev does not authenticate"));
  }

  @Test
  void ranksOfOneProcessLackNothing() {
    assertNull(RunSecret.lackOf("smpdev"));
  }

  @Test
  void noncesDiffer() {
    assertFalse(Arrays.equals(RunSecret.nonce(), RunSecret.nonce()));
  }
}
