package io.github.amb.runtime.system;

import static io.github.amb.runtime.system.Trial.TOY;

import java.util.List;

/** Rows of the fault matrix: results that are lost, late, doubled, malformed, or not finite. */
class MessagesMatrixTest extends MatrixTest {
  private static final String RUN = TOY + "--last-step 40";
  private static final String MALFORMED = "malformed message";

  static List<FaultRow> rows() {
    String corrupt = "--inject corrupt-message:rank=2,step=11";
    String nan = "--last-step 40 --inject nan:rank=2,step=11";
    return List.of(
        sameBits("lost-message", "drop-message", "messages were lost|re-establishing connections")
            .alone("lost-message"),
        sameBits(
                "duplicate-message", "duplicate-message", "dropped GRADIENT of step 11 from rank 2")
            .alone("duplicate-message"),
        sameBits("late-message", "late-message", "messages were lost|re-establishing connections"),
        FaultRow.injected(
                15,
                "corrupt-message",
                "--last-step 40 " + corrupt,
                0,
                MALFORMED + ": expected GRADIENT .*removed from the run, continuing with 2")
            .alone("short-message"),
        FaultRow.injected(
            15,
            "corrupt-coded-message",
            "--last-step 40 --codec topk:0.1+ef+min=1 " + corrupt,
            0,
            MALFORMED + ": GRADIENT of step 11"),
        FaultRow.injected(
                15,
                "wrong-kind",
                "--last-step 40 --inject wrong-kind:rank=2,step=11",
                0,
                "expected GRADIENT .*found DELTA of step 11 .*removed from the run, continuing with 2")
            .alone("wrong-type"),
        FaultRow.injected(
                15,
                "corrupt-below-minimum",
                "--last-step 40 --min-workers 3 " + corrupt,
                21,
                "fewer than --min-workers 3: rank 2 .*" + MALFORMED + ".*resume after step 10")
            .alone("short-message"),
        FaultRow.injected(
                26,
                "nan-halt",
                nan,
                1,
                "step 11: gradient of rank 2, examples 160 to 175 of its order, block .*after step 10")
            .alone("nan"),
        FaultRow.injected(
                26,
                "nan-drop",
                nan + " --non-finite drop",
                0,
                "for step 11 dropped, examples 160 to 175 of its order")
            .alone("nan"));
  }

  /** A row whose fault must not change the final bits. */
  private static FaultRow sameBits(String name, String fault, String said) {
    String options = "--last-step 40 --inject " + fault + ":rank=2,step=11 --dead-after 1";
    return FaultRow.of(
        13,
        name,
        "`" + options + "`",
        0,
        said,
        trial -> {
          trial.injected(TOY + options);
          trial.assertSameBits(RUN);
        });
  }
}
