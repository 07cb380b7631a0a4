package io.github.amb.bench.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchmarkRunTest {
  private static final Setting<Integer> WORKERS = Parameter.integer("workers", 3, 1, "workers");
  private static final Setting<List<Integer>> SIZES =
      Parameter.integers("sizes", "1,2", 1, "sizes");
  private static final Setting<Double> TIME = Parameter.seconds("time", 0.5, "time");
  private static final Setting<String> FILE = Parameter.text("file", null, "a file", "file");
  private static final List<Setting<?>> ALL = List.of(WORKERS, SIZES, TIME, FILE);

  private static BenchmarkRun parse(String... arguments) {
    return BenchmarkRun.parse(ALL, List.of(arguments), System.err);
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    BenchmarkRun none = parse();
    assertEquals(3, none.get(WORKERS));
    assertArrayEquals(new int[] {1, 2}, none.integers(SIZES));
    assertEquals(0.5, none.get(TIME));
    assertNull(none.text(FILE));
  }

  @Test
  void whatIsGivenWins() {
    BenchmarkRun given = parse("--workers", "7", "--sizes=5,6,7", "--time", "1e-3", "--file", "x");
    assertEquals(7, given.get(WORKERS));
    assertArrayEquals(new int[] {5, 6, 7}, given.integers(SIZES));
    assertEquals(1e-3, given.get(TIME));
    assertEquals("x", given.all().get("file"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--workers | 0 | --workers: expected an integer of at least 1, found '0'",
        "--workers | x | found 'x'",
        "--sizes | 1,,2 | found '1,,2'",
        "--sizes | 1,0 | found '1,0'",
        "--time | 0 | --time: expected seconds above 0, found '0'",
        "--time | NaN | found 'NaN'",
        "--time | Infinity | found 'Infinity'",
        "--worker | 1 | unknown option --worker, did you mean '--workers'?",
        "--file | '' | --file: expected a file",
        "what | ever | expected options only, found 'what'"
      })
  void whatIsWrongIsSaid(String option, String value, String message) {
    var e = assertThrows(UsageException.class, () -> parse(option, value));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void allProblemsAreSaidAtOnce() {
    var e = assertThrows(UsageException.class, () -> parse("--workers", "0", "--time", "-1"));
    assertEquals(2, e.getMessage().lines().count());
  }

  @Test
  void anOptionWithoutItsValueIsRejected() {
    var e = assertThrows(UsageException.class, () -> parse("--workers"));
    assertEquals("--workers: expected a value, found none", e.getMessage());
  }
}
