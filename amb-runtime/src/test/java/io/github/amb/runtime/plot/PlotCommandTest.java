package io.github.amb.runtime.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlotCommandTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private String fmb;
  private String amb;

  @BeforeEach
  void writeRuns() {
    fmb = path(new ExampleRun("fmb").steps(6).evaluateEvery(2));
    amb = path(new ExampleRun("amb").steps(6).evaluateEvery(2).secondsPerStep(1));
  }

  @Test
  void commandIsFoundByItsName() {
    assertTrue(
        ServiceLoader.load(Command.class).stream()
            .map(provider -> provider.get().name())
            .toList()
            .containsAll(List.of("plot", "summarize")));
  }

  @Test
  void figureOfOneRunGoesIntoItsPlots() throws Exception {
    plot(fmb, "--type", "accuracy_vs_time");

    Path plots = Path.of(fmb, "plots");
    assertEquals(
        List.of(
            plots.resolve("accuracy_vs_time-fmb.png").toString(),
            plots.resolve("accuracy_vs_time-fmb.svg").toString()),
        printed());
    assertEquals("", err.toString(UTF_8));
    assertTrue(Files.size(plots.resolve("accuracy_vs_time-fmb.svg")) > 1000);
  }

  @Test
  void figureOfSeveralRunsGoesBesideThem() throws Exception {
    plot(fmb, amb, "--ext", "csv");

    Path file = folder.resolve("plots/panel_main-fmb+amb.csv");
    assertEquals(List.of(file.toString()), printed());
    List<String> lines = Files.readAllLines(file);
    assertEquals(7, lines.stream().skip(1).map(line -> line.split(",")[0]).distinct().count());
    assertEquals(2, lines.stream().skip(1).map(line -> line.split(",")[1]).distinct().count());
  }

  @Test
  void optionsMayHaveUnderscores() throws Exception {
    plot(
        "--data_dir",
        folder.toString(),
        "--subset",
        "loss-vs-step",
        "accuracy_vs_time",
        amb,
        "--ext=csv",
        "--out",
        folder.resolve("o").toString(),
        "--filter_sigma",
        "3",
        "--save",
        "--silent");

    List<String> lines = Files.readAllLines(Path.of(printed().get(0)));
    assertTrue(printed().get(0).endsWith("loss_vs_step+accuracy_vs_time-amb+fmb.csv"));
    assertTrue(lines.get(1).startsWith("loss_vs_step,amb rms 64,1,"), lines.get(1));
    assertEquals(1 + 2 * (6 + 3), lines.size());
  }

  @Test
  void aFileHasTheNameTitleAndLabelsThatWereChosen() throws Exception {
    Path file = folder.resolve("deep/headline.svg");
    String[] chosen = {"--title", "AMB, against FMB", "--label", "fixed, 64", "--label", "anytime"};
    List<String> arguments = new ArrayList<>(List.of(fmb, amb, "--out", file.toString()));
    arguments.addAll(List.of("--type", "accuracy_vs_time"));
    arguments.addAll(List.of(chosen));

    plot(arguments.toArray(String[]::new));

    assertEquals(List.of(file.toString()), printed());
    String svg = Files.readString(file);
    for (String text : List.of("AMB, against FMB", "fixed, 64", "anytime", "time (s)")) {
      assertTrue(svg.contains(">" + text + "<"), text);
    }
  }

  @Test
  void aFileThatWasChosenMayHaveOthersBesideIt() throws Exception {
    String file = folder.resolve("deep/headline.svg").toString();

    plot(fmb, "--type", "accuracy_vs_time", "--ext", "csv", "svg", "--out", file);

    assertEquals(List.of(file.replace("svg", "csv"), file), printed());
  }

  @Test
  void pointsOfAPaperAreDrawnBesideRuns() throws Exception {
    Path paper = folder.resolve("paper.csv");
    Files.writeString(
        paper, "panel,run,x,y\naccuracy_vs_time,theirs,9,0.7\naccuracy_vs_time,theirs,8,0.6\n");

    plot(fmb, "--type", "accuracy_vs_time", "--beside", paper.toString(), "--ext", "csv");

    List<String> lines = Files.readAllLines(Path.of(fmb, "plots/accuracy_vs_time-fmb.csv"));
    assertEquals(
        List.of("accuracy_vs_time,theirs,8,0.6,0.6,0.6", "accuracy_vs_time,theirs,9,0.7,0.7,0.7"),
        lines.subList(lines.size() - 2, lines.size()));
    assertTrue(lines.get(1).startsWith("accuracy_vs_time,fmb"), lines.get(1));
  }

  @Test
  void aNameBesideRunsMayHaveAComma() throws Exception {
    Path paper =
        Files.writeString(
            folder.resolve("paper.csv"), "panel,run,x,y\naccuracy_vs_time,\"theirs, 64\",9,0.7\n");

    plot(fmb, "--type", "accuracy_vs_time", "--beside", paper.toString(), "--ext", "csv");

    List<String> lines = Files.readAllLines(Path.of(fmb, "plots/accuracy_vs_time-fmb.csv"));
    assertEquals("accuracy_vs_time,\"theirs, 64\",9,0.7,0.7,0.7", lines.get(lines.size() - 1));
  }

  @Test
  void legendShowsADotForASinglePoint() throws Exception {
    String point = "accuracy_vs_time,theirs,9,0.7\n";
    String curve = "accuracy_vs_time,theirs,8,0.6\n" + point;
    assertTrue(hasDashedLegend(curve));
    assertFalse(hasDashedLegend(point));
  }

  /** Whether the legend of a run, which is not dashed, and a paper's points has a dashed line. */
  private boolean hasDashedLegend(String points) throws Exception {
    Path paper = Files.writeString(folder.resolve("paper.csv"), "panel,run,x,y\n" + points);
    plot(fmb, "--type", "accuracy_vs_time", "--beside", paper.toString(), "--ext", "svg");
    String svg = Files.readString(Path.of(fmb, "plots/accuracy_vs_time-fmb.svg"));
    return Pattern.compile("<path d=[^>]*stroke-dasharray").matcher(svg).find(); // not clipped
  }

  @Test
  void pointsThatAreNoneAreExplained() throws Exception {
    Path paper = Files.writeString(folder.resolve("paper.csv"), "panel,run,x,y\na,b,1,many\n");

    UsageException e =
        assertThrows(UsageException.class, () -> plot(fmb, "--beside", paper.toString()));
    assertEquals(
        paper + " line 2: expected a panel, a run and two numbers, found a,b,1,many",
        e.getMessage());
  }

  @Test
  void asManyLabelsAsRunsAreExpected() {
    UsageException rejected =
        assertThrows(UsageException.class, () -> plot(fmb, amb, "--label", "one", "--silent"));
    assertEquals(
        "--label: expected 2 labels, for fmb rms 64; amb rms 64, found 1", rejected.getMessage());
  }

  @Test
  void timeOfTheVirtualClusterIsNamed() throws Exception {
    String sim = path(new ExampleRun("fmb").id("sim").with("engine", "sim").steps(6));
    Path all = folder.resolve("all.svg");
    Path some = folder.resolve("some.svg");

    plot(sim, "--type", "loss_vs_time", "--out", all.toString());
    plot(sim, fmb, "--type", "loss_vs_time", "--out", some.toString());

    assertTrue(Files.readString(all).contains(">virtual time (s)<"));
    assertTrue(Files.readString(some).contains(">time (s)<"));
    assertTrue(Files.readString(some).contains("Time is virtual in "));
  }

  @Test
  void separateFiguresHaveTheSizeAskedFor() throws Exception {
    plot(
        fmb,
        "--subset",
        "loss_vs_step,loss_vs_time",
        "--separate",
        "--ext",
        "png",
        "--ax_size",
        "2",
        "1.5");

    assertEquals(2, printed().size());
    assertTrue(printed().get(1).endsWith("loss_vs_time-fmb.png"));
    assertEquals(400, ImageIO.read(Path.of(printed().get(0)).toFile()).getWidth());
  }

  @Test
  void folderOfFiguresAmongTheRunsIsPassedOver() throws Exception {
    plot(fmb, amb, "--ext", "csv");

    plot(fmb, amb, folder.resolve("plots").toString(), "--ext", "csv");

    assertEquals(printed().get(0), printed().get(1));
  }

  @Test
  void logarithmicAxesAreDrawn() throws Exception {
    plot(fmb, "--ylog", "--ymax", "2", "--xmax", "5", "--ext", "svg", "--type", "loss_vs_step");

    String svg = Files.readString(Path.of(printed().get(0)));
    assertTrue(svg.contains(">2</text"), "a tick at the end of the axis");
  }

  @Test
  void missingDataIsNotedOnStandardError() throws Exception {
    plot(path(new ExampleRun("esync").evaluateEvery(0).steps(3)), "--ext", "csv");

    assertEquals(
        """
        accuracy_vs_step: no data of 'esync rms 64'
        accuracy_vs_time: no data of 'esync rms 64'
        """,
        err.toString(UTF_8));
  }

  @Test
  void manyRunsHaveAFileNameOfBoundedLength() throws Exception {
    String[] runs =
        IntStream.range(0, 60)
            .mapToObj(i -> path(new ExampleRun("a-long-name-" + i).steps(1)))
            .toArray(String[]::new);

    plot(Stream.concat(Stream.of(runs), Stream.of("--ext", "csv")).toArray(String[]::new));

    String name = Path.of(printed().get(0)).getFileName().toString();
    assertTrue(name.length() < 100, name);
    assertTrue(name.matches("panel_main-a-long-name-0\\+.*-60-[0-9a-f]{8}\\.csv"), name);
  }

  @Test
  void helpNamesEveryPanel() throws Exception {
    plot("--help");

    String help = out.toString(UTF_8);
    assertTrue(help.contains("learning_rate_vs_step"), help);
    assertTrue(help.contains("--filter-sigma"), help);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --type acuracy_vs_time | --type: unknown panel 'acuracy_vs_time', did you mean 'accuracy_vs_time'?
          --subset loss_vs_stp   | --subset: unknown panel 'loss_vs_stp', did you mean 'loss_vs_step'?
          --ext pngs             | --ext: unknown format 'pngs', did you mean 'png'?
          --filter_sgma 3        | unknown option --filter-sgma, did you mean '--filter-sigma'?
          --xmax      | --xmax: expected X, found none
          --xmax 0               | --xmax: expected a number above 0, found '0'
          --ymax two             | --ymax: expected a number above 0, found 'two'
          --xmax Infinity        | --xmax: expected a number above 0, found 'Infinity'
          --ax-size 4            | --ax-size: expected W H, found too few values
          --out                  | --out: expected DIR, found none
          --data-dir /no/where   | /no/where: expected a folder with run directories, found none
          """)
  void wrongArgumentsAreExplained(String arguments, String problem) {
    List<String> typed = Stream.concat(Stream.of(fmb), Stream.of(arguments.split(" "))).toList();

    assertEquals(
        problem, assertThrows(UsageException.class, () -> command().run(typed)).getMessage());
    assertFalse(Files.exists(Path.of(fmb, "plots")));
  }

  @Test
  void noRunIsExplained() {
    assertTrue(
        assertThrows(UsageException.class, () -> command().run(List.of()))
            .getMessage()
            .startsWith("expected one or more run directories"));
  }

  /** Runs Java with a font configuration that names no font. */
  @Test
  @Tag("lab")
  @EnabledOnOs(OS.LINUX)
  void missingFontsEndWithExitCodeOne() throws Exception {
    Path fonts = Files.writeString(folder.resolve("fonts.conf"), "<fontconfig></fontconfig>");
    ProcessBuilder java = java();
    java.environment().put("FONTCONFIG_FILE", fonts.toString());
    java.environment().put("FONTCONFIG_PATH", folder.toString());
    java.environment().remove("DISPLAY");

    assertEquals(1, exitCode(java));

    assertEquals(
        "cannot draw text: Java found no fonts on this machine; install some:"
            + " apt-get install fontconfig fonts-dejavu-core\n",
        Files.readString(folder.resolve("output")));
  }

  @Test
  @Tag("system")
  @EnabledOnOs(OS.LINUX)
  void displayThatIsNotThereIsNoReasonToFail() throws Exception {
    ProcessBuilder java = java();
    java.environment().put("DISPLAY", ":9871");

    assertEquals(0, exitCode(java), () -> output());

    assertTrue(output().contains("panel_main-fmb.png"), output());
  }

  private ProcessBuilder java() {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Duser.home=" + folder,
        "-cp",
        System.getProperty("java.class.path"),
        PlotMain.class.getName(),
        fmb);
  }

  private int exitCode(ProcessBuilder java) throws Exception {
    Path output = folder.resolve("output");
    Process process = java.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "ends in time");
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void plot(String... arguments) throws Exception {
    assertEquals(0, command().run(List.of(arguments)));
  }

  private OptionsCommand command() {
    return new PlotCommand()
        .printingTo(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private List<String> printed() {
    return out.toString(UTF_8).lines().toList();
  }

  private String path(ExampleRun run) {
    RunDirectory directory = run.write(folder);
    return directory.path().toString();
  }
}
