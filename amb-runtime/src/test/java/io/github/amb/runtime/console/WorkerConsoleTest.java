package io.github.amb.runtime.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.WorkerRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerConsoleTest {
  @Test
  void theLineIsThePredecessorsSampleLine() {
    assertEquals(
        "Sending [256] examples, compute_time [5.63961], last_idle [0.267534], last_send"
            + " [0.244859]\n",
        printed(false, step(0.244859, 0.2675, 0.000034, 0, 5.63961)));
  }

  @Test
  void sleepTimeIsPrintedWhenDelaysAreInduced() {
    assertEquals(
        "Sending [256] examples, sleep_time [2.25], compute_time [5], last_idle [0.5], last_send"
            + " [0.25]\n",
        printed(true, step(0.25, 0.25, 0.25, 2.25, 5)));
  }

  @Test
  void timesOfTheLastStepAreMinusOneOnTheFirst() {
    assertEquals(
        "Sending [256] examples, sleep_time [0], compute_time [0.125], last_idle [-1], last_send"
            + " [-1]\n",
        printed(true, step(-1, -1, -1, 0, 0.125)));
  }

  /** Expected texts are those of C's printf("%g"). */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-1, -1",
    "100, 100",
    "999999, 999999",
    "1000000, 1e+06",
    "1234567, 1.23457e+06",
    "999999.5, 1e+06",
    "0.0001, 0.0001",
    "0.00009999994, 9.99999e-05",
    "0.00001, 1e-05",
    "0.1, 0.1",
    "2.5000004, 2.5",
    "123456.789, 123457",
    "1.5e300, 1.5e+300",
    "2.5e-310, 2.5e-310",
  })
  void numbersHaveSixSignificantDigits(double value, String text) {
    assertEquals(text, Numbers.general(value));
  }

  private static WorkerRecord step(
      double lastSend, double lastRecv, double lastExit, double sleepTime, double computeTime) {
    return new WorkerRecord(
        1, 1, 1, 256, 1, false, lastSend, lastRecv, lastExit, sleepTime, computeTime, 0, 0);
  }

  private static String printed(boolean delays, WorkerRecord step) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new WorkerConsole(new PrintStream(bytes, true, StandardCharsets.UTF_8), delays).accept(step);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
