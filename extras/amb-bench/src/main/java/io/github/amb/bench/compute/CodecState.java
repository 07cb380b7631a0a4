package io.github.amb.bench.compute;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Layout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The operations that JMH times: whole messages, from a vector to bytes and back, checks included.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CodecState {
  /** A codec as the user types it. */
  @Param("fp16")
  public String codec;

  /** A size that {@link Vectors#layout} accepts. */
  @Param("1000000")
  public String size;

  private VectorEncoder encoder;
  private VectorDecoder decoder;
  private float[] values;
  private float[] decoded;
  private byte[] message;
  private int length;

  /** Creates a vector and its message. */
  @Setup
  public void prepare() {
    Layout layout = Vectors.layout(size);
    Coding coding = Codecs.parse(codec);
    encoder = new VectorEncoder(layout, coding, Vectors.STREAMS, "uplink", 1);
    decoder = new VectorDecoder(layout, coding, Vectors.STREAMS, "uplink");
    values = Vectors.laplace(layout.size());
    decoded = new float[layout.size()];
    length = encoder.encode(values, 1);
    message = encoder.message().clone();
  }

  /** Encodes the vector; returns the length of the message in bytes. */
  @Benchmark
  public int encode() {
    return encoder.encode(values, 1);
  }

  /** Decodes the message; returns the vector. */
  @Benchmark
  public float[] decode() {
    decoder.decode(message, length, 1, decoded);
    return decoded;
  }
}
