package io.github.amb.runtime.command;

/** A command that has its name and summary from its constructor. */
public abstract class NamedCommand implements Command {
  private final String name;
  private final String summary;

  /** A command that the user types as {@code amb name}. */
  protected NamedCommand(String name, String summary) {
    this.name = name;
    this.summary = summary;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String summary() {
    return summary;
  }
}
