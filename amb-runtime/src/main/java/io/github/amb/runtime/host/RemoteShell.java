package io.github.amb.runtime.host;

import io.github.amb.core.option.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command that runs a program on another host: {@code WORDS HOST bash}. The program is
 * described on the standard input of that bash, which the program then inherits. Nothing of it, in
 * particular not the run's secret, is on a command line, and no quotes have to survive a remote
 * shell.
 *
 * @param words such as {@code ssh -T}
 */
public record RemoteShell(List<String> words) {
  /** OpenSSH without questions, which notices within half a minute that a host has died. */
  public static final String SSH =
      "ssh -T -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=6";

  private static final String SHELL = "bash";

  public RemoteShell {
    words = List.copyOf(words);
  }

  /**
   * A command as a user types it, in words separated by spaces.
   *
   * @throws UsageException if there is none
   */
  public static RemoteShell parse(String command) {
    if (command.isBlank()) {
      throw new UsageException(
          "--remote-shell: expected a command such as '" + SSH + "', found none");
    }
    return new RemoteShell(List.of(command.strip().split("\\s+")));
  }

  /** Starts a bash on {@code host} that reads commands from its standard input. */
  public ProcessBuilder on(String host) {
    List<String> command = new ArrayList<>(words);
    command.add(host);
    command.add(SHELL);
    return new ProcessBuilder(command);
  }

  /**
   * The commands that replace that bash by a program.
   *
   * @param directory where to run it if there is such a directory; otherwise the shell's directory
   * @param environment variables to set
   * @param java path of a Java launcher; if it does not exist, that of JAVA_HOME or PATH is used
   * @param arguments for Java
   * @return lines for the shell's standard input
   */
  public static String script(
      Path directory, Map<String, String> environment, String java, List<String> arguments) {
    StringBuilder script = new StringBuilder();
    script.append("cd ").append(quote(directory.toString())).append(" 2> /dev/null\n");
    environment.forEach(
        (name, value) ->
            script.append("export ").append(name).append('=').append(quote(value)).append('\n'));
    // Java decodes file names in the locale's encoding, which a remote shell may not set.
    script.append("[ \"$(locale charmap 2> /dev/null < /dev/null)\" = UTF-8 ] || ");
    script.append("{ export LC_ALL=C.UTF-8; } 2> /dev/null\n");
    script.append("java=").append(quote(java)).append('\n');
    script.append("[ -x \"$java\" ] || java=${JAVA_HOME:+$JAVA_HOME/bin/}java\n");
    script.append("exec \"$java\"");
    arguments.forEach(word -> script.append(' ').append(quote(word)));
    return script.append('\n').toString();
  }

  /**
   * The commands that kill, with SIGKILL, every process of this user with a variable in its
   * environment.
   *
   * @param variable such as {@code NAME=value}; letters, digits, {@code _ = - /} only
   */
  public static String killScript(String variable) {
    if (!variable.matches("[\\w=/-]+")) {
      throw new IllegalArgumentException(variable);
    }
    return """
        for p in /proc/[0-9]*; do
          [ -O "$p/environ" ] && grep -qzxF %s "$p/environ" 2> /dev/null && kill -9 "${p#/proc/}"
        done
        exit 0
        """
        .formatted(quote(variable));
  }

  private static String quote(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
