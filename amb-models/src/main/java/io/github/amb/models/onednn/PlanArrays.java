package io.github.amb.models.onednn;

import io.github.amb.models.graph.Placement;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;

/**
 * The arrays of a {@link Plan}. They get memory when all its steps are known. An array has its
 * memory for itself from the first step that uses it to the last.
 */
final class PlanArrays implements AutoCloseable {
  private final PlanMemory memory;
  private final Map<Tensor, Block> blocks = new LinkedHashMap<>();
  private final Map<Tensor, Long> offsets = new HashMap<>();
  private final List<Overwrite> overwrites = new ArrayList<>();
  private FloatPointer start;

  /** What an array and its views occupy. */
  private static final class Block {
    private final Tensor owner;
    private final TreeSet<Integer> uses = new TreeSet<>();
    private int rewritten = -1;
    private long offset;
    private Block within;

    Block(Tensor owner) {
      this.owner = owner;
    }

    long bytes() {
      return Tensor.bytes(owner.format());
    }

    boolean isUsed() {
      return !uses.isEmpty();
    }

    /** The block whose memory it has. */
    Block root() {
      return within == null ? this : within.root();
    }

    Placement.Lifetime lifetime() {
      var all = new Placement.Span(uses.first(), uses.last());
      Integer before = rewritten < 0 ? null : uses.lower(rewritten);
      List<Placement.Span> spans =
          before == null
              ? List.of(all)
              : List.of(
                  new Placement.Span(all.first(), before),
                  new Placement.Span(rewritten, all.last()));
      return new Placement.Lifetime(spans, bytes());
    }
  }

  private record Overwrite(Block result, Block operand) {}

  PlanArrays(PlanMemory memory) {
    this.memory = memory;
  }

  /** A new array without memory. */
  Tensor array(dnnl_memory_desc format) {
    Tensor tensor = new Tensor(format);
    blocks.put(tensor, new Block(tensor));
    return tensor;
  }

  /** Another format of the same memory, whose first entry is at byte {@code offset}. */
  Tensor view(Tensor tensor, dnnl_memory_desc format, long offset) {
    Tensor view = new Tensor(format);
    blocks.put(view, blocks.get(tensor));
    offsets.put(view, offset);
    return view;
  }

  /** The array of which {@code tensor} is a view, or itself. */
  Tensor owner(Tensor tensor) {
    return blocks.containsKey(tensor) ? blocks.get(tensor).owner : tensor;
  }

  /** Notes that a step uses an array; arrays of others are ignored. */
  void use(Tensor tensor, int step) {
    Block block = blocks.get(tensor);
    if (block != null) {
      block.uses.add(step);
    }
  }

  /** Notes that a step writes an array without reading it, so that it may be lost before. */
  void rewrite(Tensor tensor, int step) {
    blocks.get(tensor).rewritten = step;
  }

  /** Lets a result replace an operand, if the step that makes the result is the operand's last. */
  void mayOverwrite(Tensor operand, Tensor result) {
    if (blocks.containsKey(operand)) {
      overwrites.add(new Overwrite(blocks.get(result), blocks.get(operand)));
    }
  }

  /** Chooses places for all arrays, after their uses are known. */
  void place() {
    overwrites.forEach(PlanArrays::join);
    List<Block> roots =
        blocks.values().stream()
            .distinct()
            .filter(block -> block.isUsed() && block.within == null)
            .toList();
    var placement = new Placement(roots.stream().map(Block::lifetime).toList());
    for (int i = 0; i < roots.size(); i++) {
      roots.get(i).offset = placement.offset(i);
    }
    memory.reserve(placement.bytes());
  }

  private static void join(Overwrite pair) {
    Block result = pair.result;
    Block operand = pair.operand.root();
    boolean replaces =
        result.within == null
            && result != operand
            && result.rewritten < 0
            && operand.uses.last().equals(result.uses.first())
            && operand.bytes() >= result.bytes();
    if (replaces) {
      result.within = operand;
      operand.uses.addAll(result.uses);
    }
  }

  /** Moves the arrays to where the memory is now. */
  void bind() {
    if (start != memory.start) {
      start = memory.start;
      blocks.forEach(
          (tensor, block) -> {
            if (block.isUsed()) {
              long first = block.root().offset + offsets.getOrDefault(tensor, 0L);
              tensor.moveTo(new FloatPointer(new BytePointer(start).getPointer(first)), 0);
            }
          });
    }
  }

  @Override
  public void close() {
    blocks.keySet().forEach(Tensor::close);
  }
}
