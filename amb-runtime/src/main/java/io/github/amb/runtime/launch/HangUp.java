package io.github.amb.runtime.launch;

import java.lang.reflect.Proxy;

/** SIGHUP as a request, which otherwise ends a program. */
public final class HangUp {
  private HangUp() {}

  /**
   * Calls {@code action} at each SIGHUP, on a thread of its own, as long as this program runs. The
   * class that Java has for it is no part of its interface: without it, SIGHUP ends the program.
   */
  public static void handle(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object calls =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                action.run();
                return null;
              });
      Object hangUp = signal.getConstructor(String.class).newInstance("HUP");
      signal.getMethod("handle", signal, handler).invoke(null, hangUp, calls);
    } catch (ReflectiveOperationException e) {
      System.err.println("amb: SIGHUP ends this program: " + e);
    }
  }
}
