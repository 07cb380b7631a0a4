package mpjdev;

/** A receive or send that has begun. */
public abstract class Request {
  protected Request() {}

  public abstract Status iwait();

  public abstract Status itest();

  public abstract void free();

  public abstract boolean isnull();

  public abstract boolean cancel();
}
