package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

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
  void everyMessageHasANumberOfItsOwn() {
    Wire wire = new Wire();
    Communicator filter = new DuplicateFilter(wire, told -> {});
    Message message = new Message();
    filter.send(1, message, Clock.NEVER);
    filter.broadcast(message, Clock.NEVER);
    filter.send(2, message, Clock.NEVER);
    assertEquals(List.of(1.0, 2.0, 3.0), wire.numbers);
  }

  /** In whatever order, and however often: none twice, none after a later one of its rank. */
  @Property(tries = 300)
  void whatIsReceivedIsInTheOrderSent(
      @ForAll @Size(max = 30) List<@IntRange(min = 1, max = 9) Integer> numbers) {
    Wire wire = new Wire();
    for (int number : numbers) {
      wire.arrive(1, number);
      wire.arrive(2, 10 - number);
    }
    List<String> told = new ArrayList<>();
    Communicator filter = new DuplicateFilter(wire, told::add);
    List<List<Integer>> received = List.of(List.of(), new ArrayList<>(), new ArrayList<>());
    Message message = new Message();
    while (filter.receive(Communicator.ANY, message, Clock.NEVER)) {
      received.get(message.source()).add((int) message.step());
    }
    for (int rank = 1; rank < RANKS; rank++) {
      assertEquals(new ArrayList<>(new TreeSet<>(received.get(rank))), received.get(rank));
    }
    int dropped = 2 * numbers.size() - received.get(1).size() - received.get(2).size();
    assertEquals(Integer.SIZE - Integer.numberOfLeadingZeros(dropped), told.size());
  }

  @Test
  void aMessageThatIsDroppedGivesItsLoanBack() {
    Wire wire = new Wire();
    wire.arrive(2, 7);
    wire.arrive(2, 7);
    Communicator filter = new DuplicateFilter(wire, told -> {});
    assertTrue(filter.receive(Communicator.ANY, new Message(), Clock.NEVER));
    Message message = new Message();
    assertFalse(filter.receive(Communicator.ANY, message, Clock.NEVER));
    assertEquals(1, wire.ended);
  }

  @Test
  void aMessageThatIsDroppedIsNamed() {
    Wire wire = new Wire();
    wire.arrive(2, 7);
    wire.arrive(2, 7);
    List<String> told = new ArrayList<>();
    Communicator filter = new DuplicateFilter(wire, told::add);
    Message message = new Message();
    while (filter.receive(Communicator.ANY, message, Clock.NEVER)) {
      assertEquals(7, message.step());
    }
    assertEquals(
        List.of(
            "dropped GRADIENT of step 7 from rank 2: expected a message after its message 7, found"
                + " message 7, which came twice or too late; 1 dropped so far"),
        told);
  }
}
