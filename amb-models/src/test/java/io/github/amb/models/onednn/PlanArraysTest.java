package io.github.amb.models.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A step finds in its operands what an earlier step left there, and memory is used again. */
class PlanArraysTest {
  private static final int PLANS = 100;
  private static final int STEPS = 60;
  private static final int MAX_ENTRIES = 300;

  @BeforeAll
  static void oneDnnRunsHere() {
    assumeTrue(OneDnn.isAvailable(), "there is no oneDNN for this host");
  }

  @Test
  void operandsKeepTheirEntriesUntilTheirLastStep() {
    try (PlanMemory memory = new PlanMemory()) {
      for (int seed = 0; seed < PLANS; seed++) {
        try (RandomPlan plan = new RandomPlan(memory, new Random(seed))) {
          plan.run("seed " + seed);
          plan.run("seed " + seed + ", again");
        }
      }
    }
  }

  @Test
  void plansFollowTheMemoryThatTheyShare() {
    try (PlanMemory memory = new PlanMemory();
        RandomPlan first = new RandomPlan(memory, new Random(1))) {
      first.run("alone");
      memory.reserve(1_000_000);
      first.run("after a move");
    }
  }

  @Test
  void aResultTakesThePlaceOfAnOperandUsedLast() {
    try (PlanMemory memory = new PlanMemory();
        PlanArrays arrays = new PlanArrays(memory)) {
      Tensor operand = arrays.array(Formats.rowMajor(10));
      Tensor result = arrays.array(Formats.rowMajor(10));
      Tensor kept = arrays.array(Formats.rowMajor(10));
      arrays.use(operand, 0);
      arrays.use(result, 0);
      arrays.use(result, 1);
      arrays.use(kept, 1);
      arrays.use(result, 2);
      arrays.mayOverwrite(operand, result);
      arrays.mayOverwrite(result, kept);
      arrays.place();
      arrays.bind();
      assertEquals(operand.data().address(), result.data().address());
      assertTrue(kept.data().address() != result.data().address());
    }
  }

  /**
   * Steps that each fill an array with their number, after they have read earlier ones. Some first
   * fill an earlier array once more.
   */
  private static final class RandomPlan implements AutoCloseable {
    private final PlanArrays arrays;
    private final List<Tensor> results = new ArrayList<>();
    private final List<int[]> operands = new ArrayList<>();
    private final Map<Integer, Integer> repeated = new HashMap<>();

    RandomPlan(PlanMemory memory, Random random) {
      arrays = new PlanArrays(memory);
      for (int step = 0; step < STEPS; step++) {
        add(random, step);
      }
      arrays.place();
    }

    private void add(Random random, int step) {
      // Two sizes, so that a result often fits into the place of an operand.
      int entries = random.nextBoolean() ? MAX_ENTRIES : 1 + random.nextInt(MAX_ENTRIES);
      Tensor result = arrays.array(Formats.rowMajor(entries));
      arrays.use(result, step);
      results.add(result);
      int[] read = random.ints(step == 0 ? 0 : random.nextInt(3), 0, Math.max(1, step)).toArray();
      operands.add(read);
      int again = random.nextInt(step + 1);
      if (again < step && random.nextInt(4) == 0 && !repeated.containsValue(again)) {
        arrays.use(results.get(again), step);
        arrays.rewrite(results.get(again), step);
        repeated.put(step, again);
      }
      for (int operand : read) {
        Tensor tensor = results.get(operand);
        Tensor view = arrays.view(tensor, tensor.format(), 0);
        arrays.use(random.nextBoolean() ? view : tensor, step);
        if (random.nextBoolean()) {
          arrays.mayOverwrite(view, result);
        }
      }
    }

    void run(String where) {
      arrays.bind();
      for (int step = 0; step < STEPS; step++) {
        if (repeated.containsKey(step)) {
          fill(repeated.get(step));
        }
        for (int operand : operands.get(step)) {
          float[] expected = filled(operand);
          float[] found = new float[expected.length];
          results.get(operand).data().get(found, 0, found.length);
          assertTrue(Arrays.equals(expected, found), where + ", step " + step);
        }
        fill(step);
      }
    }

    private void fill(int step) {
      float[] values = filled(step);
      results.get(step).data().put(values, 0, values.length);
    }

    private float[] filled(int step) {
      float[] values = new float[(int) (Tensor.bytes(results.get(step).format()) / Float.BYTES)];
      Arrays.fill(values, step);
      return values;
    }

    @Override
    public void close() {
      arrays.close();
    }
  }
}
