package mpjdev;

/** A receive or send that has begun. */
public abstract class Request {
  protected Request() {}

  public abstract Status iwait();
}
