package io.github.amb.runtime.console;

import io.github.amb.runtime.command.TerminalDevice;
import java.nio.file.Path;
import java.util.Map;

/** Shows a run to the user. May be called by several threads. */
public interface RunView extends AutoCloseable {
  /** Values of the option that chooses a view. */
  String AUTO = "auto";

  String PLAIN = "plain";
  String JSON = "json";
  String NONE = "none";

  /**
   * Shows a stage before training begins.
   *
   * @param what the stage without punctuation, such as "starting ranks"
   * @param done number of parts done
   * @param of number of parts; 0 for a stage without parts
   */
  default void stage(String what, int done, int of) {}

  /** Shows the progress of training. */
  default void progress(Progress now) {}

  /** Shows what has not been shown; training has ended, successfully or not. */
  default void end() {}

  /**
   * Shows the result, after {@link #end}.
   *
   * @param run the run's directory
   */
  default void summary(Path run) {}

  /**
   * Shows programs that the run failed; people read it on standard error.
   *
   * @param exitCode the exit code, not 0
   * @param cause the cause and the remedy in lines
   */
  default void failure(int exitCode, String cause) {}

  /** Shows a warning at once, a line for people. */
  default void warn(String warning) {
    System.err.println("amb: " + warning);
  }

  /** Restores the terminal. */
  @Override
  default void close() {}

  /**
   * A view on standard output.
   *
   * @param choice {@link #AUTO}: a line that is rewritten on a terminal, else lines; {@link
   *     #PLAIN}: lines; {@link #JSON}: lines of JSON; {@link #NONE}: nothing but the run's
   *     directory
   */
  static RunView of(String choice) {
    Map<String, String> environment = System.getenv();
    return switch (choice) {
      case JSON -> new JsonView(System.out, System::nanoTime);
      case NONE -> new SilentView(System.out);
      case PLAIN -> new PlainView(System.out, System::nanoTime);
      default ->
          TerminalDevice.find(environment)
              .<RunView>map(
                  device ->
                      TerminalView.overStandardError(System.out, device, Style.of(environment)))
              .orElseGet(() -> new PlainView(System.out, System::nanoTime));
    };
  }

  /** A view that shows nothing. */
  static RunView none() {
    return new RunView() {};
  }
}
