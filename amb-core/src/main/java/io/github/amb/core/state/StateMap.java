package io.github.amb.core.state;

import java.lang.reflect.Array;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Saved state: arrays of floats, doubles or longs by name. A number is saved as an array of length
 * 1. A name has the form {@code owner/piece}.
 */
public final class StateMap {
  /** How the message of {@link #unfit} ends. */
  public static final String UNFIT = " in the checkpoint";

  private final Map<String, Object> entries = new LinkedHashMap<>();

  /**
   * All arrays by name, in the order saved: each a {@code float[]}, {@code double[]} or {@code
   * long[]}. Not copies.
   */
  public Map<String, Object> entries() {
    return Collections.unmodifiableMap(entries);
  }

  /**
   * Adds or replaces an array, which is not copied.
   *
   * @throws IllegalArgumentException if {@code array} is not an array of floats, doubles or longs
   */
  public void put(String name, Object array) {
    if (!(array instanceof float[] || array instanceof double[] || array instanceof long[])) {
      throw new IllegalArgumentException(
          name + ": expected an array of floats, doubles or longs, found " + array);
    }
    entries.put(name, array);
  }

  /** Removes everything saved under {@code owner}. */
  public void remove(String owner) {
    entries.keySet().removeIf(name -> name.startsWith(owner + "/"));
  }

  /** Removes everything saved under owners whose names start with {@code prefix}. */
  public void removeAll(String prefix) {
    entries.keySet().removeIf(name -> name.startsWith(prefix));
  }

  /** Whether something is saved under {@code owner}. */
  public boolean has(String owner) {
    return entries.keySet().stream().anyMatch(name -> name.startsWith(owner + "/"));
  }

  /** Whether each array of {@code others} is here, with the same entries. */
  public boolean hasAll(StateMap others) {
    return others.entries.entrySet().stream()
        .allMatch(other -> Objects.deepEquals(other.getValue(), entries.get(other.getKey())));
  }

  /** The array called {@code name}, or null. Not a copy. */
  public Object get(String name) {
    return entries.get(name);
  }

  /** A map with copies of all arrays. */
  public StateMap copy() {
    StateMap copy = new StateMap();
    entries.forEach((name, array) -> copy.entries.put(name, cloned(array)));
    return copy;
  }

  private static Object cloned(Object array) {
    if (array instanceof float[] floats) {
      return floats.clone();
    }
    return array instanceof double[] doubles ? doubles.clone() : ((long[]) array).clone();
  }

  /** Adds the arrays of {@code others}, which replace those of the same names. Not copies. */
  public void putAll(StateMap others) {
    entries.putAll(others.entries);
  }

  /** As {@link #putAll(StateMap)}, with a prefix before each name. */
  public void putAll(String prefix, StateMap others) {
    others.entries.forEach((name, array) -> entries.put(prefix + name, array));
  }

  /** A map with all arrays but one. Not copies. */
  public StateMap without(String name) {
    StateMap others = new StateMap();
    others.entries.putAll(entries);
    others.entries.remove(name);
    return others;
  }

  /** Saves the state of {@code member}; arrays of an earlier save are overwritten. */
  public void save(String owner, Checkpointed member) {
    member.visit(new Saving(owner));
  }

  /**
   * Keeps the state of {@code member} until the second change from now on, so that {@linkplain
   * StateVisitor#alternating alternating} arrays are not copied. Not for a map to {@link #save} to.
   */
  public void keep(String owner, Checkpointed member) {
    member.visit(new Keeping(owner));
  }

  /**
   * Restores the state of {@code member}.
   *
   * @throws IllegalStateException if a piece of it is missing or has another type or length
   */
  public void restore(String owner, Checkpointed member) {
    member.visit(new Restoring(owner, false));
  }

  /**
   * The failure of saved state that does not fit the program.
   *
   * @param name owner and piece
   * @param expected how many entries of which type
   * @param found the array; null if there is none
   */
  public static IllegalStateException unfit(String name, String expected, Object found) {
    return new IllegalStateException(
        "state %s: expected %s, found %s%s"
            .formatted(name, expected, found == null ? "none" : describe(found), UNFIT));
  }

  private static String describe(Object array) {
    return Array.getLength(array) + " " + array.getClass().getComponentType() + "s";
  }

  /**
   * Whether {@link #restore} would find all state of {@code member} with the right types and
   * lengths.
   */
  boolean fits(String owner, Checkpointed member) {
    Restoring fitting = new Restoring(owner, true);
    member.visit(fitting);
    return fitting.fits;
  }

  private class Saving implements StateVisitor {
    final String owner;

    Saving(String owner) {
      this.owner = owner;
    }

    @Override
    public void array(String name, Object values) {
      String key = owner + "/" + name;
      Object kept = entries.get(key);
      int length = Array.getLength(values);
      if (kept == null || kept.getClass() != values.getClass() || Array.getLength(kept) != length) {
        kept = Array.newInstance(values.getClass().getComponentType(), length);
        entries.put(key, kept);
      }
      System.arraycopy(values, 0, kept, 0, length);
    }

    @Override
    public Object anyArray(String name, Object values) {
      array(name, values);
      return values;
    }
  }

  private final class Keeping extends Saving {
    Keeping(String owner) {
      super(owner);
    }

    @Override
    public void alternating(String name, float[] values) {
      entries.put(owner + "/" + name, values);
    }
  }

  /** Restores state, or compares it without changing anything. */
  private final class Restoring implements StateVisitor {
    private final String owner;
    private final boolean compares;
    private boolean fits = true;

    Restoring(String owner, boolean compares) {
      this.owner = owner;
      this.compares = compares;
    }

    @Override
    public boolean has(String name) {
      return entries.containsKey(owner + "/" + name);
    }

    @Override
    public void array(String name, Object values) {
      Object kept = kept(name, values, true);
      if (!compares) {
        System.arraycopy(kept, 0, values, 0, Array.getLength(values));
      }
    }

    @Override
    public Object anyArray(String name, Object values) {
      Object kept = kept(name, values, false);
      return compares ? values : cloned(kept);
    }

    private Object kept(String name, Object values, boolean sameLength) {
      Object kept = entries.get(owner + "/" + name);
      boolean unfit = kept == null || kept.getClass() != values.getClass();
      if (unfit || sameLength && Array.getLength(kept) != Array.getLength(values)) {
        fits = false;
        if (!compares) {
          throw unfit(owner + "/" + name, describe(values), kept);
        }
      }
      return kept;
    }
  }
}
