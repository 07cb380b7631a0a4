package io.github.amb.runtime.system;

import java.util.regex.Pattern;

/**
 * One row of the fault matrix.
 *
 * @param number the fault's in the list of faults
 * @param name of the row, unique
 * @param how the fault is injected, in Markdown
 * @param code expected exit code
 * @param said regular expression that a line of the output or of the master's log has
 * @param alone the fault of {@link PlainMpj} that is like it; empty if there is none
 * @param trial does the fault
 */
record FaultRow(
    int number, String name, String how, int code, Pattern said, String alone, Fault trial) {

  /** Injects a fault into a run. */
  @FunctionalInterface
  interface Fault {
    void in(Trial trial) throws Exception;
  }

  static FaultRow of(int number, String name, String how, int code, String said, Fault trial) {
    return new FaultRow(number, name, how, code, Pattern.compile(said), "", trial);
  }

  /**
   * A row about an option of {@code amb} that injects the fault, with three workers on the toy
   * data.
   */
  static FaultRow injected(int number, String name, String options, int code, String said) {
    return of(
        number,
        name,
        "`" + options + "`",
        code,
        said,
        trial -> trial.injected(Trial.TOY + options));
  }

  /** This row, whose fault is also injected into MPJ Express alone. */
  FaultRow alone(String fault) {
    return new FaultRow(number, name, how, code, said, fault, trial);
  }

  /** The expectation, for people. */
  String expected() {
    String text =
        said.pattern().replace(".*", "…").replaceAll("\\\\[dS]\\+", "N").replace("|", " or ");
    return code + ": " + text.replace("\\", "");
  }

  @Override
  public String toString() {
    return name;
  }
}
