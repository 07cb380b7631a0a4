package io.github.amb.runtime.mpj.express;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.amb.runtime.mpj.RunSecret;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Bytes of unauthenticated peers, and what a proof is bound to. */
class ChallengeTest {
  private static final RunSecret SECRET = RunSecret.draw();
  private static final InetSocketAddress PLACE = new InetSocketAddress("127.0.0.1", 30_000);
  private static final Challenge.Rank OWN = new Challenge.Rank(SECRET, 2, 1, 100);

  @Property
  void randomBytesAreNoProof(@ForAll @Size(max = 200) byte[] said) {
    assertNotEquals(Challenge.State.PROVEN, hear(said).state());
  }

  @Property
  void noBytesAfterARightHelloAreAProof(
      @ForAll @IntRange(min = 2, max = 99) int from, @ForAll @Size(64) byte[] said) {
    ByteBuffer hello = ByteBuffer.allocate(8 + said.length);
    hello.putInt(Challenge.MAGIC).putInt(from).put(said);
    assertEquals(Challenge.State.REJECTED, hear(hello.array()).state());
  }

  @Property
  void onlyRanksAboveAreAnswered(@ForAll int magic, @ForAll int from) {
    byte[] hello = ByteBuffer.allocate(Challenge.HELLO).putInt(magic).putInt(from).array();
    boolean expected = magic == Challenge.MAGIC && from > 1 && from < 100;
    assertEquals(
        expected ? Challenge.State.ANSWERED : Challenge.State.REJECTED, hear(hello).state());
  }

  @Property
  void aProofIsBoundToAllOfTheLink(
      @ForAll @IntRange(max = 5) int field, @ForAll @IntRange(min = 1, max = 9) int other) {
    ConnectionSide.Nonces nonces = new ConnectionSide.Nonces(RunSecret.nonce(), RunSecret.nonce());
    ConnectionSide link = new ConnectionSide(2, 3, 1, PLACE);
    ConnectionSide changed =
        new ConnectionSide(
            field == 0 ? 2 + other : 2,
            field == 1 ? 3 + other : 3,
            field == 2 ? 1 + other : 1,
            new InetSocketAddress(
                field == 3 ? "127.0.1." + other : "127.0.0.1",
                field == 4 ? 30_000 + other : 30_000));
    ConnectionSide.Nonces later =
        field == 5 ? new ConnectionSide.Nonces(nonces.connecting(), RunSecret.nonce()) : nonces;
    assertEquals(
        false,
        Arrays.equals(
            link.proofOfConnecting(SECRET, nonces), changed.proofOfConnecting(SECRET, later)));
    assertEquals(
        false,
        Arrays.equals(
            link.proofOfAccepting(SECRET, nonces), changed.proofOfAccepting(SECRET, later)));
  }

  private static Challenge hear(byte[] said) {
    Challenge challenge = new Challenge(OWN, PLACE);
    for (byte one : said) {
      boolean over =
          challenge.state() == Challenge.State.PROVEN
              || challenge.state() == Challenge.State.REJECTED;
      if (!over && !challenge.in().put(one).hasRemaining()) {
        challenge.heard();
      }
    }
    return challenge;
  }
}
