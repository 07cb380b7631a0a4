package io.github.amb.core.topology;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.update.OrderedSum;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A worker's end of {@link Topology#SLICED}. It passes its slice of the parameters on to the other
 * workers. It receives one slice of each worker's gradient, adds them in the order of ranks, and
 * sends the sum to the master.
 *
 * <p>The latter is the first half of Rabenseifner's algorithm, with an order of additions that
 * depends on the ranks alone. Thakur, Rabenseifner, Gropp: "Optimization of Collective
 * Communication Operations in MPICH", 2005.
 */
final class SlicedWorker extends ForwardingCommunicator {
  private static final int CHUNK = 512;
  private static final Message.Kind SLICE = Message.Kind.SLICE;
  private static final Message.Kind ADDEND = Message.Kind.ADDEND;

  private final int rank;
  private final int workers;
  private final Message out = new Message();
  private final Message head = new Message(); // the numbers that came with the parameters
  private Slices slices; // of the parameters
  private Whole parameters; // null before the first ones
  private long step;
  private boolean begun;
  private int missing;
  private final Message[] addends; // by rank; also those of workers that are ahead
  private final FloatBuffer[] contents;
  private final OrderedSum sum = new OrderedSum(CHUNK);
  private int addendsCome;
  private Slices ours; // of the gradient that this worker has contributed; null if of none
  private int addendsExpected;
  private long ownStep;
  private final SliceCodecs codecs; // null if gradients are not encoded
  private boolean coded; // whether our gradient is

  SlicedWorker(Communicator link, SliceCodecs codecs) {
    super(link);
    this.codecs = codecs;
    rank = link.rank();
    workers = link.size() - 1;
    slices = new Slices(0, workers);
    addends = new Message[workers];
    Arrays.setAll(addends, worker -> new Message());
    contents = new FloatBuffer[workers];
    missing = workers;
  }

  @Override
  public boolean reduces(int length) {
    return Slices.cuts(length, workers);
  }

  @Override
  public void send(int to, Message message, long deadline) {
    if (!message.isReduced()) {
      super.send(to, message, deadline);
      return;
    }
    coded = codecs != null && codecs.encodes(message.step());
    if (coded) {
      codecs.encode(message);
    }
    super.send(to, out.resetLike(message).count(message.length()), deadline);
    ownStep = message.step();
    ours = new Slices(message.length(), workers);
    boolean together = exchange(addend(message, rank));
    addendsExpected = together ? 2 : workers;
    out.source(rank);
    put(out);
    for (int i = 1; i < workers && !together; i++) {
      int other = 1 + (rank - 1 + i) % workers;
      super.send(other, addend(message, other), Clock.NEVER);
    }
    message.release();
    addUp();
  }

  /** The message with the slice of our gradient that a worker adds up. */
  private Message addend(Message gradient, int owner) {
    out.reset(ADDEND, ownStep);
    int length = coded ? codecs.floats(owner) : ours.length(owner);
    if (owner != rank && length > 0) {
      lend(owner, out, length);
    }
    return coded ? codecs.pack(owner, out) : ours.cut(gradient.payload(), owner, out);
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    while (!begun || missing > 0) {
      if (!super.receive(from == MASTER ? ANY : from, into, deadline)) {
        return false;
      }
      if (into.kind() == ADDEND) {
        if (into.source() == rank) {
          into.release(); // It stands for all others'.
          addendsCome++;
        } else {
          put(into);
        }
        addUp();
      } else if (into.kind() == SLICE && into.source() == rank) {
        expectStep(into, step);
        into.release();
        missing = 0;
      } else if (into.kind() == SLICE) {
        paste(into, into.source());
      } else if (into.kind() == Message.Kind.PARAMETERS && into.count() > 0) {
        begin(into);
      } else if (into.source() != MASTER) {
        throw Slices.unfit(into, "a slice");
      } else {
        return true;
      }
    }
    into.resetLike(head).count(0);
    parameters.lendTo(into, slices.length());
    begun = false;
    missing = workers;
    return true;
  }

  /** Begins with the slice that the master has sent, and passes it on. */
  private void begin(Message slice) {
    begun = true;
    head.resetLike(slice);
    paste(slice, rank);
    FloatBuffer whole = parameters.floats();
    boolean together = exchange(slices.cut(whole, rank, out.reset(SLICE, step)));
    for (int i = 1; i < workers && !together; i++) {
      int other = 1 + (rank - 1 + i) % workers;
      lend(other, out.reset(SLICE, step), slices.length(rank));
      super.send(other, slices.cut(whole, rank, out), Clock.NEVER);
    }
  }

  private void paste(Message slice, int owner) {
    if (missing == workers) {
      step = slice.step();
      slices = slices.of(slice);
      parameters = Whole.with(parameters, slices.length());
    }
    expectStep(slice, step);
    slices.paste(slice, owner, parameters.floats());
    slice.release();
    missing--;
  }

  private static void expectStep(Message found, long step) {
    if (found.step() != step) {
      throw Slices.unfit(found, "a slice of step " + step);
    }
  }

  private void put(Message addend) {
    Message place = addends[addend.source() - 1];
    if (codecs != null && codecs.encodes(addend.step())) {
      codecs.decode(addend, place);
      addend.release();
    } else {
      addend.moveTo(place);
    }
    addendsCome++;
  }

  /** Sends the sum if all have contributed. */
  private void addUp() {
    if (ours == null || addendsCome < addendsExpected) {
      return;
    }
    int count = 0;
    for (Message addend : addends) {
      if (addend.kind() == ADDEND) {
        expectStep(addend, ownStep);
        ours.expect(addend, rank);
        contents[count] = addend.payload();
        count++;
      }
    }
    int length = ours.length(rank);
    lend(MASTER, out.reset(SLICE, ownStep), length);
    form(count, length);
    super.send(MASTER, out.count(ours.length()), Clock.NEVER);
    ours = null;
    addendsCome = 0;
    for (Message addend : addends) {
      addend.reset(Message.Kind.READY, 0);
    }
  }

  private void form(int count, int length) {
    if (out.loan() == null) {
      out.ensureCapacity(length);
    }
    FloatBuffer total = out.payload();
    for (int start = 0; start < length; start += CHUNK) {
      int part = Math.min(CHUNK, length - start);
      sum.form(contents, count, start, part);
      if (out.nonFiniteFrom() == 0 && !sum.isFinite(part)) {
        note(count, start, part);
      }
      total.put(start, sum.values(), 0, part);
    }
  }

  /** Notes the first entry that is not finite, and the worker that sent it, in the message. */
  private void note(int count, int start, int part) {
    float[] values = sum.values();
    int at = Finite.firstBad(values, 0, part);
    int worker = OrderedSum.nonFinite(contents, count, start + at);
    float found = contents[worker].get(start + at);
    values[at] = Float.isFinite(found) ? values[at] : found;
    out.nonFiniteFrom(worker + 1);
    out.examples(ours.begin(rank) + start + at);
  }
}
