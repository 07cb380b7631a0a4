package io.github.amb.plots;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class LatexTableTest {
  @Test
  void columnsOfNumbersAreAlignedRight() {
    assertEquals(
        """
        \\begin{tabular}{lrrl}
        \\toprule
        run & time (s) & idle (\\%) & state \\\\
        \\midrule
        fmb & 12.5 & -- & done \\\\
        amb & $<$3.1 $\\pm$ 0.2 & $-$4 & 2 of 3 diverged \\\\
        \\bottomrule
        \\end{tabular}
        """
            .replace("2 of 3 diverged", "diverged, 2 of 3"),
        LatexTable.of(
            List.of(
                List.of("run", "time (s)", "idle (%)", "state"),
                List.of("fmb", "12.5", "–", "done"),
                List.of("amb", "<3.1 ± 0.2", "−4", "diverged, 2 of 3"))));
  }

  /** Each has a meaning of its own in LaTeX. */
  @Test
  void signsAreEscaped() {
    String table = LatexTable.of(List.of(List.of("\\ $ & % # _ { } ~ ^ …")));
    assertEquals(
        "\\textbackslash{} \\$ \\& \\% \\# \\_ \\{ \\} \\textasciitilde{} \\textasciicircum{}"
            + " \\ldots{} \\\\",
        table.lines().skip(2).findFirst().orElseThrow());
  }

  @Test
  void tablesOfAPageHaveTheirHeadings() {
    String page =
        """
        # name

        Text with | a bar.

        ## Speed-up

        | variant | mean |
        | --- | --- |
        | `amb_2` | **no** |
        | a\\|b |  |
        """;
    assertEquals(
        """
        % \\usepackage{booktabs}

        % name

        % Speed-up
        \\begin{tabular}{ll}
        \\toprule
        variant & mean \\\\
        \\midrule
        \\texttt{amb\\_2} & \\textbf{no} \\\\
        a\\textbar{}b &  \\\\
        \\bottomrule
        \\end{tabular}
        """,
        LatexTable.ofPage(page));
  }
}
