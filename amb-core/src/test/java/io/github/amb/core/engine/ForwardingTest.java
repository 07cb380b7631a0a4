package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.engine.Membership.Generation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What forwards calls passes each on, once, with its arguments, and gives its answer back. */
class ForwardingTest {
  private static final Message MESSAGE = new Message();
  private static final LostException LOST = new LostException("rank 2 is lost");

  private final List<String> calls = new ArrayList<>();
  private boolean answer;

  private static String call(Method method, Object... arguments) {
    return method.getName() + Arrays.toString(arguments);
  }

  /** Answers true or false as is wanted, and the numbers 7 and 8. */
  private <T> T noting(Class<T> type, Generation generation) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              calls.add(call(method, arguments == null ? new Object[0] : arguments));
              return result(method.getReturnType(), generation);
            }));
  }

  private Object result(Class<?> type, Generation generation) {
    if (type == boolean.class) {
      return answer;
    }
    if (type == Generation.class) {
      return generation;
    }
    return type == int.class ? (Object) 7 : type == long.class ? (Object) 8L : null;
  }

  /** Calls every method of an interface, and expects one call of the same and its answer. */
  private void assertForwards(Class<?> type, Object forwarding, Generation generation)
      throws Exception {
    for (Method method : type.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers())) {
        for (boolean wanted : new boolean[] {true, false}) {
          answer = wanted;
          calls.clear();
          Object[] arguments = arguments(method);
          Object found = method.invoke(forwarding, arguments);
          assertEquals(List.of(call(method, arguments)), calls);
          assertEquals(result(method.getReturnType(), generation), found, method.getName());
        }
      }
    }
  }

  private static Object[] arguments(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(
            type ->
                Map.of(int.class, 3, long.class, 4L, boolean.class, true, Message.class, MESSAGE)
                    .getOrDefault(type, LOST))
        .toArray();
  }

  @Test
  void aCommunicatorForwardsEveryCall() throws Exception {
    Communicator inner = noting(Communicator.class, null);
    assertForwards(Communicator.class, new ForwardingCommunicator(inner) {}, null);
  }

  @Test
  void aMembershipForwardsEveryCall() throws Exception {
    Generation generation = new Generation(2, new int[] {0, 1}, null);
    List<EngineException> before = new ArrayList<>();
    var forwarding =
        new ForwardingMembership(noting(Membership.class, generation)) {
          @Override
          protected Generation joined(Generation joined, EngineException failure) {
            before.add(failure);
            return joined;
          }
        };
    assertForwards(Membership.class, forwarding, generation);
    assertEquals(4, before.size());
    assertEquals(2, before.stream().filter(failure -> failure == LOST).count());
    assertEquals(2, before.stream().filter(failure -> failure == null).count());
  }

  @Test
  void aFixedMembershipHasOneWorld() {
    Membership fixed = Membership.fixed(noting(Communicator.class, null));
    Generation only = fixed.first();
    assertEquals(1, only.number());
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6), Arrays.stream(only.members()).boxed().toList());
    assertFalse(fixed.isReplacement());
    assertFalse(fixed.changes());
    assertSame(LOST, assertThrows(EngineException.class, () -> fixed.next(LOST)));
  }

  @Test
  void aMalformedMessageKeepsItsReasonForAnotherNumber() {
    var one = new MalformedMessageException(2, "expected 3, found 4");
    MalformedMessageException other = one.as(5);
    assertEquals(5, other.source());
    assertEquals("expected 3, found 4", other.reason());
    assertSame(one, other.getCause());
  }
}
