package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DuplicateFilterTest {
  private static final int RANKS = 3;

  /** What one rank sends, and then in some order what another one receives. */
  private static final class Wire implements Communicator {
    private final List<Double> numbers = new ArrayList<>();
    private final Deque<int[]> arrivals = new ArrayDeque<>();
    private int ended;
    private final Message.Loan loan =
        new Message.Loan() {
          @Override
          public FloatBuffer floats() {
            return FloatBuffer.allocate(1);
          }

          @Override
          public void end() {
            ended++;
          }
        };

    @Override
    public int rank() {
      return MASTER;
    }

    @Override
    public int size() {
      return RANKS;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      numbers.add((double) message.number());
    }

    @Override
    public void broadcast(Message message, long deadline) {
      numbers.add((double) message.number());
    }

    void arrive(int source, int number) {
      arrivals.add(new int[] {source, number});
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      int[] next = arrivals.poll();
      if (next != null) {
        into.reset(Message.Kind.GRADIENT, next[1]).source(next[0]);
        into.number(next[1]);
        into.borrow(loan, 1);
      }
      return next != null;
    }

    @Override
    public long bytesSent() {
      return 0;
    }

    @Override
    public long bytesReceived() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void eachRankHasNumbersOfItsOwnAndBroadcastsHaveTheirs() {
    Wire wire = new Wire();
    Communicator filter = new DuplicateFilter(wire, null, told -> {});
    Message message = new Message();
    filter.send(1, message, Clock.NEVER);
    filter.broadcast(message, Clock.NEVER);
    filter.send(2, message, Clock.NEVER);
    filter.send(1, message, Clock.NEVER);
    filter.broadcast(message, Clock.NEVER);
    assertEquals(List.of(1.0, -1.0, 1.0, 2.0, -2.0), wire.numbers);
  }

  /**
   * In whatever order, and however often: all messages of a rank once, in the order sent, until one
   * is missing.
   */
  @Property(tries = 300)
  void whatIsReceivedIsInTheOrderSentWithoutAGap(
      @ForAll @Size(max = 30) List<@IntRange(min = -4, max = 5) Integer> numbers) {
    Wire wire = new Wire();
    Map<Integer, List<Integer>> expected = new TreeMap<>(Map.of(1, List.of(), 2, List.of()));
    expected.replaceAll((rank, none) -> new ArrayList<>());
    boolean gap = false;
    int repeated = 0;
    for (int i = 0; i < numbers.size(); i++) {
      int source = 1 + i % 2;
      int number = numbers.get(i) <= 0 ? numbers.get(i) - 1 : numbers.get(i);
      wire.arrive(source, number);
      int before = gap ? 0 : newest(expected.get(source), number < 0);
      gap |= Math.abs(number) > before + 1;
      if (!gap && Math.abs(number) == before + 1) {
        expected.get(source).add(number);
      } else if (!gap) {
        repeated++;
      }
    }
    List<String> told = new ArrayList<>();
    Communicator filter = new DuplicateFilter(wire, null, told::add);
    Map<Integer, List<Integer>> received = Map.of(1, new ArrayList<>(), 2, new ArrayList<>());
    Executable all =
        () -> {
          Message message = new Message();
          while (filter.receive(Communicator.ANY, message, Clock.NEVER)) {
            received.get(message.source()).add((int) message.step());
          }
        };
    if (gap) {
      assertThrows(LostException.class, all);
    } else {
      assertDoesNotThrow(all);
    }
    assertEquals(expected, received);
    assertEquals(Integer.SIZE - Integer.numberOfLeadingZeros(repeated), told.size());
  }

  private static int newest(List<Integer> numbers, boolean broadcast) {
    return numbers.stream()
        .filter(number -> number < 0 == broadcast)
        .mapToInt(Math::abs)
        .max()
        .orElse(0);
  }

  @Test
  void aMessageThatIsDroppedGivesItsLoanBack() {
    Wire wire = new Wire();
    wire.arrive(2, 1);
    wire.arrive(2, 1);
    Communicator filter = new DuplicateFilter(wire, null, told -> {});
    assertTrue(filter.receive(Communicator.ANY, new Message(), Clock.NEVER));
    Message message = new Message();
    assertFalse(filter.receive(Communicator.ANY, message, Clock.NEVER));
    assertEquals(1, wire.ended);
  }

  @Test
  void aMessageThatIsDroppedIsNamed() {
    Wire wire = new Wire();
    wire.arrive(2, 1);
    wire.arrive(2, 1);
    List<String> told = new ArrayList<>();
    Communicator filter = new DuplicateFilter(wire, null, told::add);
    Message message = new Message();
    while (filter.receive(Communicator.ANY, message, Clock.NEVER)) {
      assertEquals(1, message.step());
    }
    assertEquals(
        List.of(
            "dropped GRADIENT of step 1 from rank 2: expected a message after its message 1, found"
                + " message 1, which came twice or too late; 1 dropped so far"),
        told);
  }
}
