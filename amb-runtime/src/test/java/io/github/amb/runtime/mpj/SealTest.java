package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SealTest {
  private static final int RECORD = 64 << 10;
  private static final byte[] KEY = RunSecret.nonce();

  /** Lengths around those of whole records, and others. */
  @Provide
  Arbitrary<Integer> lengths() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(0, 300),
        Arbitraries.integers().between(RECORD - 17, RECORD + 17),
        Arbitraries.integers().between(2 * RECORD - 17, 2 * RECORD + 17));
  }

  private static List<byte[]> plain(List<Integer> lengths) {
    Random random = new Random(lengths.hashCode());
    List<byte[]> plain = new ArrayList<>();
    for (int length : lengths) {
      byte[] message = new byte[length];
      random.nextBytes(message);
      plain.add(message);
    }
    return plain;
  }

  private static List<byte[]> sealed(List<byte[]> plain) {
    Seal seal = new Seal(KEY);
    List<byte[]> sealed = new ArrayList<>();
    for (byte[] message : plain) {
      byte[] made = new byte[Seal.sealedBytes(message.length)];
      int length = seal.seal(ByteBuffer.wrap(message), message.length, ByteBuffer.wrap(made));
      assertEquals(made.length, length);
      sealed.add(made);
    }
    return sealed;
  }

  /** The message, opened in larger memory; null if it is not the next one. */
  private static byte[] open(Seal seal, byte[] sealed, boolean direct) {
    int room = sealed.length + 100;
    ByteBuffer memory = direct ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
    int length = seal.open(memory.put(0, sealed), sealed.length);
    byte[] plain = new byte[Math.max(0, length)];
    memory.get(0, plain);
    return length < 0 ? null : plain;
  }

  @Property(tries = 100)
  void allMessagesComeOutAsTheyWentIn(
      @ForAll @Size(max = 5) List<@From("lengths") Integer> lengths, @ForAll boolean direct) {
    List<byte[]> plain = plain(lengths);
    List<byte[]> sealed = sealed(plain);
    Seal seal = new Seal(KEY);
    for (int i = 0; i < plain.size(); i++) {
      assertArrayEquals(plain.get(i), open(seal, sealed.get(i), direct));
    }
  }

  @Property(tries = 200)
  void aFlippedBitIsNoticed(
      @ForAll @From("lengths") int length,
      @ForAll @IntRange(max = 1 << 24) int place,
      @ForAll @IntRange(max = 7) int bit) {
    List<byte[]> sealed = sealed(plain(List.of(length, 10)));
    byte[] first = sealed.get(0);
    first[place % first.length] ^= (byte) (1 << bit);
    Seal seal = new Seal(KEY);
    assertNull(open(seal, first, true));
    assertNull(open(seal, sealed.get(1), true), "what follows");
  }

  /** Messages that come once each, but the first {@code order} that is wrong ends it. */
  @Property(tries = 200)
  void onlyTheNextMessageIsOpened(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 4) Integer> order) {
    List<byte[]> plain = plain(List.of(0, 5, RECORD + 3, 5, 2 * RECORD));
    List<byte[]> sealed = sealed(plain);
    Seal seal = new Seal(KEY);
    boolean right = true;
    for (int i = 0; i < order.size(); i++) {
      right &= order.get(i) == i;
      byte[] found = open(seal, sealed.get(order.get(i)), false);
      assertArrayEquals(right ? plain.get(i) : null, found);
    }
  }

  /** Also between records, in one piece or two. */
  @Property(tries = 200)
  void aMessageThatIsCutIsNoticed(
      @ForAll @From("lengths") int length, @ForAll @From("lengths") int cut) {
    byte[] sealed = sealed(plain(List.of(length))).get(0);
    int at = cut % RECORD == 0 ? Seal.sealedBytes(cut) : cut;
    Assume.that(at < sealed.length);
    assertNull(open(new Seal(KEY), Arrays.copyOf(sealed, at), true));
  }

  @Property(tries = 200)
  void twoMessagesInOneAreNoticed(
      @ForAll @From("lengths") int one, @ForAll @From("lengths") int two) {
    List<byte[]> sealed = sealed(plain(List.of(one, two)));
    byte[] both = Arrays.copyOf(sealed.get(0), sealed.get(0).length + sealed.get(1).length);
    System.arraycopy(sealed.get(1), 0, both, sealed.get(0).length, sealed.get(1).length);
    assertNull(open(new Seal(KEY), both, true));
  }

  @Property(tries = 20)
  void anotherKeyOpensNothing(@ForAll @From("lengths") int length) {
    assertNull(open(new Seal(RunSecret.nonce()), sealed(plain(List.of(length))).get(0), true));
  }

  @Property(tries = 200)
  void anyBytesAreNoMessage(@ForAll @Size(max = 200) byte[] bytes) {
    assertNull(open(new Seal(KEY), bytes, true));
  }

  /** By the JDK's cipher, from the description alone: no number is used twice. */
  @Property(tries = 20)
  void recordsAreThoseOfTheDescription(
      @ForAll @Size(max = 4) List<@From("lengths") Integer> lengths) throws Exception {
    List<byte[]> plain = plain(lengths);
    List<byte[]> sealed = sealed(plain);
    long number = 0;
    for (int i = 0; i < plain.size(); i++) {
      byte[] message = plain.get(i);
      int records = Math.max(1, (int) Math.ceil(message.length / (double) RECORD));
      for (int record = 0; record < records; record++) {
        int begin = record * RECORD;
        int end = Math.min(begin + RECORD, message.length);
        byte[] vector =
            ByteBuffer.allocate(12).putInt(record == records - 1 ? 1 : 0).putLong(number++).array();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
            Cipher.ENCRYPT_MODE, new SecretKeySpec(KEY, "AES"), new GCMParameterSpec(128, vector));
        int at = record * (RECORD + 16);
        assertArrayEquals(
            cipher.doFinal(message, begin, end - begin),
            Arrays.copyOfRange(sealed.get(i), at, at + end - begin + 16));
      }
    }
  }

  @Property
  void theLongestMessageFits(@ForAll @IntRange(min = 1000) int room) {
    int most = Seal.plainBytes(room);
    assertTrue(most >= room - room / 4096 - 16, room + ": " + most);
    assertTrue(IntStream.of(most).allMatch(n -> Seal.sealedBytes(n) <= room && n > 0));
  }
}
