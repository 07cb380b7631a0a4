package io.github.amb.runtime.control;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes records: a byte for the type, then the fields. Numbers are big-endian; texts are UTF-8
 * after their length in bytes; lists follow their length.
 */
final class RecordCodec {
  /** Maximum bytes of a record: the table of a generation of several thousand ranks. */
  static final int LONGEST = 1 << 18;

  /** Maximum bytes of a text; a longer one is truncated. */
  static final int LONGEST_TEXT = 4096;

  private static final byte HEARTBEAT = 1;
  private static final byte STARTED = 16;
  private static final byte READY = 17;
  private static final byte TRAINING = 18;
  private static final byte OVER = 19;
  private static final byte CONNECTING = 20;
  private static final byte LISTENING = 21;
  private static final byte CONNECTED = 22;
  private static final byte REJECTED = 23;
  private static final byte REPORTS_MALFORMED = 24;
  private static final byte LOST = 25;
  private static final byte FAILED = 26;
  private static final byte FINISHED = 27;
  private static final byte PROGRESS = 28;
  private static final byte FORM = 48;
  private static final byte TABLE = 49;
  private static final byte END = 50;

  private RecordCodec() {}

  /** Encodes a record. */
  static byte[] encode(ControlRecord record) {
    Writer out = new Writer();
    if (record instanceof Heartbeat beat) {
      heartbeat(beat, out);
    } else if (record instanceof Order order) {
      order(order, out);
    } else {
      report((RankReport) record, out);
    }
    return out.bytes();
  }

  private static void heartbeat(Heartbeat beat, Writer out) {
    out.type(HEARTBEAT).number(beat.received()).flag(beat.waiting() != null);
    if (beat.waiting() != null) {
      Heartbeat.Wait wait = beat.waiting();
      out.number(wait.generation()).number(wait.receives()).number(wait.arrived());
    }
  }

  private static void order(Order order, Writer out) {
    if (order instanceof Order.Form form) {
      out.type(FORM).number(form.generation()).number(form.rank()).text(form.reason());
      out.number(form.members().size());
      form.members().forEach(out::number);
    } else if (order instanceof Order.Table table) {
      out.type(TABLE).number(table.generation()).number(table.places().size());
      table.places().forEach(p -> out.text(p.host()).number(p.readPort()).number(p.writePort()));
    } else if (order instanceof Order.End end) {
      out.type(END).number(end.generation()).text(end.reason());
    }
  }

  private static void report(RankReport report, Writer out) {
    if (report instanceof RankReport.Started started) {
      out.type(STARTED).number(started.pid());
    } else if (report instanceof RankReport.Ready) {
      out.type(READY);
    } else if (report instanceof RankReport.Training) {
      out.type(TRAINING);
    } else if (report instanceof RankReport.Over) {
      out.type(OVER);
    } else if (report instanceof RankReport.Failed failed) {
      out.type(FAILED).flag(failed.own()).text(failed.cause());
    } else if (report instanceof RankReport.Finished) {
      out.type(FINISHED);
    } else if (report instanceof RankReport.Progress progress) {
      out.type(PROGRESS).text(progress.line());
    } else {
      ofGeneration(report, out);
    }
  }

  private static void ofGeneration(RankReport report, Writer out) {
    if (report instanceof RankReport.Connecting connecting) {
      out.type(CONNECTING).number(connecting.generation());
    } else if (report instanceof RankReport.Listening listening) {
      out.type(LISTENING).number(listening.generation());
      out.number(listening.readPort()).number(listening.writePort());
    } else if (report instanceof RankReport.Connected connected) {
      out.type(CONNECTED).number(connected.generation());
    } else if (report instanceof RankReport.Rejected peers) {
      out.type(REJECTED).number(peers.generation()).flag(peers.formed());
      out.number(peers.addresses().size());
      peers.addresses().forEach(out::text);
    } else if (report instanceof RankReport.Malformed malformed) {
      out.type(REPORTS_MALFORMED).number(malformed.generation()).number(malformed.rank());
      out.text(malformed.reason());
    } else if (report instanceof RankReport.Lost lost) {
      out.type(LOST).number(lost.generation());
    }
  }

  /**
   * Decodes a record.
   *
   * @throws MalformedRecordException if the bytes are not exactly one record
   */
  static ControlRecord decode(byte[] bytes) throws MalformedRecordException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      ControlRecord record = decode(in.get(), in);
      if (in.hasRemaining()) {
        throw new MalformedRecordException(
            "expected the end of a record after %d bytes, found %d more"
                .formatted(in.position(), in.remaining()));
      }
      return record;
    } catch (BufferUnderflowException e) {
      throw new MalformedRecordException(
          "expected a whole record, found its end after %d bytes".formatted(bytes.length));
    }
  }

  private static ControlRecord decode(byte type, ByteBuffer in) throws MalformedRecordException {
    return switch (type) {
      case HEARTBEAT -> new Heartbeat(in.getLong(), flag(in) ? waiting(in) : null);
      case STARTED -> new RankReport.Started(in.getLong());
      case READY -> new RankReport.Ready();
      case TRAINING -> new RankReport.Training();
      case OVER -> new RankReport.Over();
      case CONNECTING -> new RankReport.Connecting(in.getInt());
      case LISTENING -> new RankReport.Listening(in.getInt(), in.getInt(), in.getInt());
      case CONNECTED -> new RankReport.Connected(in.getInt());
      case REJECTED ->
          new RankReport.Rejected(in.getInt(), flag(in), list(in, 4, RecordCodec::text));
      case REPORTS_MALFORMED -> new RankReport.Malformed(in.getInt(), in.getInt(), text(in));
      case LOST -> new RankReport.Lost(in.getInt());
      case FAILED -> new RankReport.Failed(flag(in), text(in));
      case FINISHED -> new RankReport.Finished();
      case PROGRESS -> new RankReport.Progress(text(in));
      case FORM -> form(in);
      case TABLE -> new Order.Table(in.getInt(), list(in, 12, RecordCodec::place));
      case END -> new Order.End(in.getInt(), text(in));
      default ->
          throw new MalformedRecordException("expected a known type of record, found " + type);
    };
  }

  private static Order.Form form(ByteBuffer in) throws MalformedRecordException {
    int generation = in.getInt();
    int rank = in.getInt();
    String reason = text(in);
    return new Order.Form(generation, rank, list(in, 4, ByteBuffer::getInt), reason);
  }

  private static Heartbeat.Wait waiting(ByteBuffer in) {
    return new Heartbeat.Wait(in.getInt(), in.getLong(), in.getLong());
  }

  private static Order.Place place(ByteBuffer in) throws MalformedRecordException {
    return new Order.Place(text(in), in.getInt(), in.getInt());
  }

  private static boolean flag(ByteBuffer in) throws MalformedRecordException {
    byte flag = in.get();
    if (flag != 0 && flag != 1) {
      throw new MalformedRecordException("expected 0 or 1 in a record, found " + flag);
    }
    return flag == 1;
  }

  private static String text(ByteBuffer in) throws MalformedRecordException {
    int length = in.getInt();
    if (length < 0 || length > Math.min(LONGEST_TEXT, in.remaining())) {
      throw new MalformedRecordException(
          "expected a text of 0 to %d bytes in a record, found %d"
              .formatted(Math.min(LONGEST_TEXT, in.remaining()), length));
    }
    ByteBuffer text = in.slice(in.position(), length);
    in.position(in.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedRecordException("expected a text in UTF-8 in a record, found other bytes");
    }
  }

  /** Reads one element of a list. */
  private interface Part<T> {
    T read(ByteBuffer in) throws MalformedRecordException;
  }

  /** Reads a list; allocates no more than the remaining bytes can hold. */
  private static <T> List<T> list(ByteBuffer in, int leastBytes, Part<T> part)
      throws MalformedRecordException {
    int length = in.getInt();
    if (length < 0 || length > in.remaining() / leastBytes) {
      throw new MalformedRecordException(
          "expected a list of 0 to %d parts in a record, found %d"
              .formatted(in.remaining() / leastBytes, length));
    }
    List<T> list = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      list.add(part.read(in));
    }
    return list;
  }

  /** A growing buffer. */
  private static final class Writer {
    private ByteBuffer out = ByteBuffer.allocate(256);

    private ByteBuffer room(int bytes) {
      if (out.remaining() < bytes) {
        int size = Math.max(2 * out.capacity(), out.position() + bytes);
        out = ByteBuffer.allocate(size).put(out.flip());
      }
      return out;
    }

    Writer type(byte type) {
      room(Byte.BYTES).put(type);
      return this;
    }

    Writer flag(boolean flag) {
      room(Byte.BYTES).put((byte) (flag ? 1 : 0));
      return this;
    }

    Writer number(int number) {
      room(Integer.BYTES).putInt(number);
      return this;
    }

    Writer number(long number) {
      room(Long.BYTES).putLong(number);
      return this;
    }

    Writer text(String text) {
      ByteBuffer bytes = ByteBuffer.allocate(LONGEST_TEXT);
      // Stops before the first character for which there is no room.
      CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
      encoder.onMalformedInput(CodingErrorAction.REPLACE);
      encoder.encode(CharBuffer.wrap(text), bytes, true);
      bytes.flip();
      number(bytes.remaining());
      room(bytes.remaining()).put(bytes);
      return this;
    }

    byte[] bytes() {
      byte[] bytes = new byte[out.position()];
      out.flip().get(bytes);
      return bytes;
    }
  }
}
