package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rows of the fault matrix that are in the lab tier. */
@Tag("lab")
class LabRowsTest {
  @Test
  void theyExistAndHaveEachFault() {
    assertEquals(new TreeSet<>(MatrixTest.IN_LAB), of(FaultRow::name, true));
    Set<Integer> all = of(FaultRow::number, false);
    assertEquals(all, of(FaultRow::number, true));
  }

  private static <T> Set<T> of(Function<FaultRow, T> what, boolean inLab) {
    return FaultTable.rows().stream()
        .filter(row -> !inLab || MatrixTest.IN_LAB.contains(row.name()))
        .map(what)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
