package io.github.amb.bench.harness;

/**
 * What a measurement should be at most.
 *
 * @param what the quantity, with its unit
 * @param limit the largest value that is good
 * @param measured the value found
 */
public record Target(String what, double limit, double measured) {
  public boolean met() {
    return measured <= limit;
  }
}
