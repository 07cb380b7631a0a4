package io.github.amb.runtime;

import static io.github.amb.core.file.Printable.printable;

import io.github.amb.core.file.SystemText;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.thread.UncaughtFailures;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.command.OpenFiles;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.command.Program;
import io.github.amb.runtime.console.StandardOutput;
import io.github.amb.runtime.train.directory.RunProvenance;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** The {@code amb} program: runs the command named by its first argument. */
public final class Amb {
  private static final String BENCH = "bench";

  private Amb() {}

  /**
   * Exits with the command's code, or with another one than 0 if standard output could not be
   * written. The cause of a failure is the last line on standard error.
   */
  public static void main(String[] arguments) {
    Program.start();
    setHome();
    new UncaughtFailures(Amb::uncaught);
    int code = run(Arrays.asList(arguments));
    String loss = StandardOutput.loss();
    if (!loss.isEmpty() && code == 0) {
      code = StandardOutput.exitCode(code, loss);
      StandardOutput.message(loss).lines().forEach(line -> System.err.println("amb: " + line));
    }
    System.exit(code);
  }

  /**
   * Sets the system property {@code amb.home} if it is not set and the class path is an archive's
   * {@code amb.jar} alone.
   */
  private static void setHome() {
    String classPath = System.getProperty("java.class.path");
    if (System.getProperty("amb.home") == null && classPath.endsWith("amb.jar")) {
      Path jar = Path.of(classPath).toAbsolutePath().normalize();
      if (Files.isDirectory(jar.resolveSibling("lib"))) {
        System.setProperty("amb.home", jar.getParent().toString());
      }
    }
  }

  static void uncaught(Thread thread, Throwable failure) {
    System.err.println("amb: " + FailureText.of(thread, failure));
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }

  static int run(List<String> arguments) {
    return run(
        () -> {
          OpenFiles.check();
          Program.check(arguments);
          return runNamed(PluginLoader.start(arguments));
        });
  }

  /** As {@link #run(List)}, once this thread has its plugins. */
  static int runLoaded(List<String> arguments) {
    return run(() -> runNamed(arguments));
  }

  private static int run(Callable<Integer> command) {
    try {
      return command.call();
    } catch (UsageException e) {
      return usage(e);
    } catch (InvalidPathException e) {
      System.err.println(
          "amb: path '" + e.getInput() + "': " + e.getReason() + "; " + SystemText.remedy());
      return ExitCode.USAGE;
    } catch (ExceptionInInitializerError e) {
      // Plugins are loaded where a class lists what they add.
      return e.getCause() instanceof UsageException wrong ? usage(wrong) : failed(e);
    } catch (Throwable e) {
      return failed(e);
    }
  }

  private static int usage(UsageException wrong) {
    wrong.getMessage().lines().forEach(line -> System.err.println("amb: " + printable(line)));
    return ExitCode.USAGE;
  }

  private static int failed(Throwable failure) {
    System.err.println("amb: " + FailureText.of(failure));
    return ExitCode.FAILED;
  }

  private static int runNamed(List<String> arguments) throws Exception {
    SortedMap<String, Command> commands = commands();
    if (arguments.isEmpty() || arguments.get(0).matches("-h|--help|help")) {
      System.out.print(help(commands));
      return arguments.isEmpty() ? ExitCode.USAGE : 0;
    }
    if (arguments.get(0).equals("--version")) {
      Map<String, String> facts = RunProvenance.describe();
      System.out.println("amb " + facts.get("amb") + " " + facts.get("git_commit"));
      return 0;
    }
    return command(arguments.get(0), commands).run(arguments.subList(1, arguments.size()));
  }

  private static SortedMap<String, Command> commands() {
    SortedMap<String, Command> commands = new TreeMap<>();
    ServiceLoader.load(Command.class).forEach(command -> commands.put(command.name(), command));
    return commands;
  }

  private static Command command(String name, SortedMap<String, Command> commands) {
    Command command = commands.get(name);
    if (command == null && name.equals(BENCH)) {
      throw new UsageException(
          "bench: expected as the first word of bin/amb, which alone has the benchmarks");
    }
    if (command == null) {
      // The script leaves the benchmarks' classes out for other commands.
      TreeSet<String> names = new TreeSet<>(commands.keySet());
      names.add(BENCH);
      throw new UsageException("unknown command '" + name + "'" + Suggestion.forName(name, names));
    }
    return command;
  }

  private static String help(SortedMap<String, Command> commands) {
    StringBuilder help = new StringBuilder("usage: amb COMMAND [ARGUMENT]...\n\n");
    commands.values().forEach(c -> help.append("  %-10s %s%n".formatted(c.name(), c.summary())));
    return help.append(
            """

              amb COMMAND --help: the command's options; amb --version: the version.
              --plugins PATH, with any command: jars that add schemes, codecs and the like.
            """)
        .toString();
  }
}
