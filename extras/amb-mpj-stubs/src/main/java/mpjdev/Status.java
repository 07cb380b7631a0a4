package mpjdev;

/** What a receive found. */
public class Status {
  public Status(int from, int tag, int index) {
    throw new UnsupportedOperationException();
  }
}
