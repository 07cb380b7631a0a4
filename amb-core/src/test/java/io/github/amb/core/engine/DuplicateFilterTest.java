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
    private final Frame.Loan loan =
        new Frame.Loan() {
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
    public void send(int to, Frame frame, long deadline) {
      numbers.add((double) frame.number());
    }

    @Override
    public void broadcast(Frame frame, long deadline) {
      numbers.add((double) frame.number());
    }

    void arrive(int source, int number) {
      arrivals.add(new int[] {source, number});
    }

    @Override
    public boolean receive(int from, Frame into, long deadline) {
      int[] next = arrivals.poll();
      if (next != null) {
        into.reset(Frame.Kind.GRADIENT, next[1]).source(next[0]);
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
  void everyFrameHasANumberOfItsOwn() {
    Wire wire = new Wire();
    Communicator filter = new DuplicateFilter(wire, told -> {});
    Frame frame = new Frame();
    filter.send(1, frame, Clock.NEVER);
    filter.broadcast(frame, Clock.NEVER);
    filter.send(2, frame, Clock.NEVER);
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
    Frame frame = new Frame();
    while (filter.receive(Communicator.ANY, frame, Clock.NEVER)) {
      received.get(frame.source()).add((int) frame.step());
    }
    for (int rank = 1; rank < RANKS; rank++) {
      assertEquals(new ArrayList<>(new TreeSet<>(received.get(rank))), received.get(rank));
    }
    int dropped = 2 * numbers.size() - received.get(1).size() - received.get(2).size();
    assertEquals(Integer.SIZE - Integer.numberOfLeadingZeros(dropped), told.size());
  }

  @Test
  void aFrameThatIsDroppedGivesItsLoanBack() {
    Wire wire = new Wire();
    wire.arrive(2, 7);
    wire.arrive(2, 7);
    Communicator filter = new DuplicateFilter(wire, told -> {});
    assertTrue(filter.receive(Communicator.ANY, new Frame(), Clock.NEVER));
    Frame frame = new Frame();
    assertFalse(filter.receive(Communicator.ANY, frame, Clock.NEVER));
    assertEquals(1, wire.ended);
  }

  @Test
  void aFrameThatIsDroppedIsNamed() {
    Wire wire = new Wire();
    wire.arrive(2, 7);
    wire.arrive(2, 7);
    List<String> told = new ArrayList<>();
    Communicator filter = new DuplicateFilter(wire, told::add);
    Frame frame = new Frame();
    while (filter.receive(Communicator.ANY, frame, Clock.NEVER)) {
      assertEquals(7, frame.step());
    }
    assertEquals(
        List.of(
            "dropped GRADIENT of step 7 from rank 2: expected a message after its message 7, found"
                + " message 7, which came twice or too late; 1 dropped so far"),
        told);
  }
}
