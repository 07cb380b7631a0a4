package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Which results a worker announces that leaves, and which ones the master has. */
class WaitReportsTest {
  private final Message message = new Message();
  private Runnable meanwhile = () -> {};
  private int source;
  private int held;

  private final Communicator engine =
      (Communicator)
          Proxy.newProxyInstance(
              Communicator.class.getClassLoader(),
              new Class<?>[] {Communicator.class},
              (self, method, arguments) -> {
                if (method.getName().equals("receive")) {
                  meanwhile.run();
                  ((Message) arguments[1]).source(source);
                  return source > 0;
                }
                return method.getReturnType() == int.class
                    ? (Object) 3
                    : method.getReturnType() == long.class ? (Object) 0L : null;
              });

  private final WaitReports reports = new WaitReports(engine, 1, () -> held++);

  private void send(Message.Kind kind) {
    reports.send(Communicator.MASTER, message.reset(kind, 1), Clock.NEVER);
  }

  @Test
  void aWorkerThatComputesAnnouncesOneMore() {
    send(Message.Kind.READY);
    send(Message.Kind.GRADIENT);
    send(Message.Kind.DELTA);
    assertEquals(3, reports.announce());
    send(Message.Kind.TAKEN);
    send(Message.Kind.GRADIENT);
    assertEquals(0, held);
    send(Message.Kind.TAKEN);
    assertEquals(0, held);
    send(Message.Kind.GRADIENT);
    assertEquals(1, held);
  }

  @Test
  void aWorkerThatWaitsHasSentAll() {
    send(Message.Kind.GRADIENT);
    meanwhile = () -> assertEquals(1, reports.announce());
    reports.receive(Communicator.MASTER, message, Clock.NEVER);
    send(Message.Kind.GRADIENT);
    assertEquals(1, held);
  }

  @Test
  void theMasterCountsTheResultsOfEach() {
    for (Message.Kind kind : Message.Kind.values()) {
      source = 2;
      reports.receive(Communicator.ANY, message.reset(kind, 1), Clock.NEVER);
    }
    source = -1;
    reports.receive(Communicator.ANY, message.reset(Message.Kind.GRADIENT, 1), Clock.NEVER);
    assertEquals(2, reports.taken(2), "a gradient and a change");
    assertEquals(0, reports.taken(1));
  }
}
