package io.github.amb.core.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StateRegistryTest {
  /** One of everything. */
  private static final class Part implements Checkpointed {
    private long count;
    private double rate;
    private final float[] floats = new float[2];
    private final double[] doubles = new double[1];
    private final long[] longs = new long[1];

    @Override
    public void visit(StateVisitor state) {
      count = state.integer("count", count);
      rate = state.real("rate", rate);
      state.floats("floats", floats);
      state.doubles("doubles", doubles);
      state.integers("longs", longs);
    }
  }

  private static Part filled() {
    Part part = new Part();
    part.count = 3;
    part.rate = 0.5;
    part.floats[1] = 7;
    part.doubles[0] = 8;
    part.longs[0] = Long.MIN_VALUE;
    return part;
  }

  @Test
  void partsFindThemselvesRestoredWhenTheyRegister() {
    StateRegistry saved = new StateRegistry();
    saved.register("part", filled());
    StateMap state = new StateMap();
    saved.save(state);

    StateRegistry restored = new StateRegistry();
    restored.restoreFrom(state);
    Part part = new Part();
    Part other = new Part();
    restored.register("part", part);
    restored.register("other", other);
    assertEquals(3, part.count);
    assertEquals(0.5, part.rate);
    assertArrayEquals(new float[] {0, 7}, part.floats);
    assertArrayEquals(new double[] {8}, part.doubles);
    assertArrayEquals(new long[] {Long.MIN_VALUE}, part.longs);
    assertEquals(0, other.count);
  }

  @Test
  void stateThatNobodyRestoresIsRejected() {
    StateMap state = new StateMap();
    state.save("part", filled());
    state.save(StateRegistry.CLUSTER, filled());
    state.save(StateRegistry.ROUND + "part", filled());
    StateRegistry renamed = resumed("renamed", state);
    renamed.roundBegins(); // Parts may still register.
    var error = assertThrows(IllegalStateException.class, renamed::roundBegins);
    assertEquals(
        "state part: expected a part that restores it, found only the state in the checkpoint",
        error.getMessage());
    StateRegistry same = resumed("part", state);
    same.roundBegins();
    same.roundBegins();
  }

  private static StateRegistry resumed(String name, StateMap state) {
    StateRegistry registry = new StateRegistry();
    registry.restoreFrom(state);
    registry.register(name, new Part());
    return registry;
  }

  @Test
  void savedStateIsACopy() {
    Part part = filled();
    StateMap state = new StateMap();
    state.save("part", part);
    Object first = state.get("part/floats");
    part.floats[1] = 9;
    assertArrayEquals(new float[] {0, 7}, (float[]) first);
    state.save("part", part);
    assertSame(first, state.get("part/floats"));
    assertArrayEquals(new float[] {0, 9}, (float[]) first);
  }

  @Test
  void whatDoesNotFitIsNamed() {
    StateMap state = new StateMap();
    state.put("part/count", new long[] {1});
    state.put("part/rate", new float[] {1});
    var error = assertThrows(IllegalStateException.class, () -> state.restore("part", new Part()));
    assertTrue(
        error.getMessage().startsWith("state part/rate: expected 1 doubles, found 1 floats"),
        error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> state.put("x/y", new int[1]));
  }
}
