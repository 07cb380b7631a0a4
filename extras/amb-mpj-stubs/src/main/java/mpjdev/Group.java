package mpjdev;

/** Ranks of a communicator. */
public abstract class Group {
  protected Group() {}
}
