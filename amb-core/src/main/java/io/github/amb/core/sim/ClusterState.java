package io.github.amb.core.sim;

import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateMap;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A virtual cluster in a checkpoint: the place of each rank in time, and the messages that are in
 * transit or belong to a {@link Round}. A payload that several ranks receive is saved once.
 */
final class ClusterState {
  /** Owner of the state. */
  static final String OWNER = VirtualCluster.STATE;

  /** Version of this state that this program writes. */
  private static final long FORMAT = 1;

  /** What precedes the numbers of a message: receiver, queue, payload, moment of a receipt. */
  private static final int PREFIX = 5;

  private static final int ROW = PREFIX + MessageInTransit.NUMBERS;

  /** How many numbers describe a rank. */
  private static final int RANK = 8;

  /** Where a message is, or was. */
  private enum Queue {
    COMING,
    ARRIVING,
    RECEIVED,
    /** A receipt of nothing. */
    NOTHING,
    /** A wait before a message, whose number is in the payload's place. */
    SENT
  }

  /**
   * A rank.
   *
   * @param place where its round began
   * @param sent number of messages that it has sent
   * @param ingressFree when its link has received all that was admitted
   */
  record Rank(
      Round.Place place,
      long sent,
      long ingressFree,
      List<MessageInTransit> coming,
      List<MessageInTransit> arriving,
      List<Round.Event> events) {
    Rank(Round.Place place, long sent, long ingressFree) {
      this(place, sent, ingressFree, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  private ClusterState() {}

  /** Saves all ranks, in place of what was saved before. */
  static void save(List<Rank> ranks, StateMap into) {
    into.remove(OWNER);
    put(into, "format", new long[] {FORMAT});
    Writer writer = new Writer(into);
    for (int rank = 0; rank < ranks.size(); rank++) {
      writer.write(rank, ranks.get(rank));
    }
    writer.end();
  }

  private static void put(StateMap map, String name, Object array) {
    map.put(OWNER + "/" + name, array);
  }

  private static final class Writer {
    private final StateMap into;
    private final Map<Payload, Integer> payloads = new HashMap<>();
    private final List<long[]> rows = new ArrayList<>();
    private final List<double[]> stats = new ArrayList<>();

    Writer(StateMap into) {
      this.into = into;
    }

    void write(int number, Rank rank) {
      Round.Place place = rank.place();
      put(
          into,
          "rank-" + number,
          new long[] {
            place.now().time(),
            place.now().place(),
            place.egressFree(),
            place.messages(),
            place.bytesSent(),
            place.bytesReceived(),
            rank.sent(),
            rank.ingressFree()
          });
      Moment none = new Moment(0, 0);
      rank.coming().forEach(message -> write(number, Queue.COMING, none, message));
      rank.arriving().forEach(message -> write(number, Queue.ARRIVING, none, message));
      for (Round.Event event : rank.events()) {
        boolean receipt = event.sent() == Round.Event.RECEIPT;
        Queue empty = receipt ? Queue.NOTHING : Queue.SENT;
        Queue queue = event.message() == null ? empty : Queue.RECEIVED;
        write(number, queue, event.now(), event.message());
        if (!receipt) {
          rows.get(rows.size() - 1)[2] = event.sent();
        }
      }
    }

    private void write(int rank, Queue queue, Moment received, MessageInTransit message) {
      long[] row = new long[ROW];
      row[0] = rank;
      row[1] = queue.ordinal();
      row[3] = received.time();
      row[4] = received.place();
      if (message != null) {
        row[2] = payload(message.payload);
        System.arraycopy(message.numbers(), 0, row, PREFIX, MessageInTransit.NUMBERS);
        stats.add(message.header);
      }
      rows.add(row);
    }

    private int payload(Payload payload) {
      return payloads.computeIfAbsent(
          payload,
          some -> {
            put(into, "payload-" + payloads.size(), some.copy());
            return payloads.size();
          });
    }

    void end() {
      put(into, "messages", rows.stream().flatMapToLong(Arrays::stream).toArray());
      put(into, "stats", stats.stream().flatMapToDouble(Arrays::stream).toArray());
    }
  }

  /**
   * The ranks that were saved.
   *
   * @param pool takes the payloads' memory in the end
   * @param count number of ranks
   * @throws IllegalStateException if the state is of a newer program, or a piece is missing or has
   *     another type or length
   */
  static List<Rank> ranks(StateMap saved, Payload.Pool pool, int count) {
    long[] format = get(saved, "format", long[].class, 1);
    if (format[0] != FORMAT) {
      throw new IllegalStateException(
          "messages in transit: expected format %d, found %d%s"
              .formatted(FORMAT, format[0], StateMap.UNFIT));
    }
    List<Rank> ranks = new ArrayList<>();
    while (ranks.size() < count) {
      long[] numbers = get(saved, "rank-" + ranks.size(), long[].class, RANK);
      Moment now = new Moment(numbers[0], (int) numbers[1]);
      Round.Place place = new Round.Place(now, numbers[2], numbers[3], numbers[4], numbers[5]);
      ranks.add(new Rank(place, numbers[6], numbers[7]));
    }
    new Reader(saved, pool).read(ranks);
    return ranks;
  }

  private static <T> T get(StateMap saved, String name, Class<T> type, int length) {
    T found = get(saved, name, type);
    if (Array.getLength(found) != length) {
      throw unfit(name, length + " " + type.componentType() + "s", found);
    }
    return found;
  }

  private static <T> T get(StateMap saved, String name, Class<T> type) {
    Object found = saved.get(OWNER + "/" + name);
    if (!type.isInstance(found)) {
      throw unfit(name, type.componentType() + "s", found);
    }
    return type.cast(found);
  }

  private static IllegalStateException unfit(String name, String expected, Object found) {
    return StateMap.unfit(OWNER + "/" + name, expected, found);
  }

  private static final class Reader {
    private final StateMap saved;
    private final Payload.Pool pool;
    private final long[] rows;
    private final double[] stats;
    private final Map<Long, Payload> payloads = new HashMap<>();
    private int messages;

    Reader(StateMap saved, Payload.Pool pool) {
      this.saved = saved;
      this.pool = pool;
      rows = get(saved, "messages", long[].class);
      if (rows.length % ROW != 0) {
        throw unfit("messages", "rows of " + ROW + " longs", rows);
      }
      int all = 0;
      for (int from = 0; from < rows.length; from += ROW) {
        all += rows[from + 1] < Queue.NOTHING.ordinal() ? 1 : 0;
      }
      stats = get(saved, "stats", double[].class, all * Message.NUMBERS);
    }

    void read(List<Rank> ranks) {
      for (int from = 0; from < rows.length; from += ROW) {
        Rank rank = ranks.get((int) rows[from]);
        Moment received = new Moment(rows[from + 3], (int) rows[from + 4]);
        switch (Queue.values()[(int) rows[from + 1]]) {
          case COMING -> rank.coming().add(message(from));
          case ARRIVING -> rank.arriving().add(message(from));
          case RECEIVED -> {
            MessageInTransit message = message(from);
            message.payload.retain(); // For the round, as well as for the rank.
            rank.events().add(new Round.Event(received, message, Round.Event.RECEIPT));
          }
          case NOTHING -> rank.events().add(new Round.Event(received, null, Round.Event.RECEIPT));
          case SENT -> rank.events().add(new Round.Event(received, null, rows[from + 2]));
        }
      }
    }

    private MessageInTransit message(int from) {
      int width = Message.NUMBERS;
      double[] own = Arrays.copyOfRange(stats, messages * width, (messages + 1) * width);
      long[] numbers = Arrays.copyOfRange(rows, from + PREFIX, from + ROW);
      messages++;
      return new MessageInTransit(numbers, own, payload(rows[from + 2]));
    }

    private Payload payload(long index) {
      Payload payload = payloads.get(index);
      if (payload == null) {
        payload = new Payload(pool, get(saved, "payload-" + index, float[].class), 1);
        payloads.put(index, payload);
      } else {
        payload.retain();
      }
      return payload;
    }
  }
}
