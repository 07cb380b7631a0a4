package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.api.Training;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers that a scheme puts into the records of updates. */
@Timeout(120)
class LoggedMetricsTest extends VirtualRuns {
  /** Logs after each update what is given. */
  private record Logging(ObjIntConsumer<Master> logged) implements Scheme {
    @Override
    public BatchPolicy batchPolicy() {
      return BatchPolicy.fixed(1);
    }

    @Override
    public void master(Master master) {
      for (int step = 1; master.nextStep(); step++) {
        master.broadcast();
        master.gather(master.workers());
        master.update();
        logged.accept(master, step);
        master.record();
      }
    }

    @Override
    public void worker(Worker worker) {
      while (worker.receive()) {
        worker.computeBatch();
        worker.send();
      }
    }
  }

  private static Training.Builder run(Scheme scheme) {
    Training.Builder run = Training.builder().data("quadratic:d=9").scheme(scheme);
    run.option("update-rule", "sgd").option("learning-rate", 0.1).option("cost-per-example", 1);
    return run.option("last-step", 4);
  }

  @Test
  void aNumberIsInTheRecordOfItsUpdateAlone() {
    Scheme everySecond =
        new Logging(
            (master, step) -> {
              if (step % 2 == 0) {
                master.log("k", 10.0 * step);
                master.log("k", 100.0 * step);
                master.log("lost", Double.NaN);
                master.log("endless", Double.POSITIVE_INFINITY);
              }
            });

    List<StepRecord> steps = run(everySecond).run().steps();

    assertEquals(
        List.of(Map.of(), Map.of("k", 200.0), Map.of(), Map.of("k", 400.0)),
        steps.stream().map(StepRecord::metrics).toList());
  }

  @Test
  void aNameIsChecked() {
    for (String name : List.of("", "K", "a b", "1k", "k-1")) {
      Scheme scheme = new Logging((master, step) -> master.log(name, step));

      Exception e = assertThrows(RuntimeException.class, () -> run(scheme).run(), name);
      assertTrue(e.toString().contains("'" + name + "'"), e.toString());
    }
  }

  @Test
  void theLimitThatAmbChoosesIsInRecordsAndOnTheConsole() throws IOException {
    RunDirectory run =
        train(
            "run",
            "quadratic:d=9 amb sgd 40 --engine sim --workers 2 --cost-per-example 1"
                + " --learning-rate 0.1 --amb-time-limit auto --amb-num-partitions 8"
                + " --last-step 30");
    double limit = stepRecords(run).get(29).metrics().get("time_limit");

    assertTrue(limit > 0, "limit " + limit);
    assertTrue(Files.readString(run.console(0)).contains(", time_limit = %.6g".formatted(limit)));
  }
}
