import io.github.amb.api.Training;

public class TenLines {
  public static void main(String[] arguments) {
    var training = Training.builder().data("optdigits").workers(4);
    training.scheme("amb").option("amb-time-limit", 0.1).option("amb-num-partitions", 8);
    var result = training.option("cost-per-example", 0.002).option("lr", 0.05).run();
    System.out.printf("accuracy %.3f%n", result.finalAccuracy());
  }
}
