package io.github.amb.runtime.plot;

import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.swing.ImageIcon;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JScrollPane;
import javax.swing.JTabbedPane;
import javax.swing.SwingUtilities;

/** Shows figures in a window. */
final class FigureWindow {
  private static final int FIRST_PORT = 6000;
  private static final int PATIENCE_MILLIS = 1000;

  private FigureWindow() {}

  /** Whether there is a display to show a window on. */
  static boolean isPossible() {
    String display = System.getenv("DISPLAY");
    boolean named = display != null && display.contains(":");
    return named && !Boolean.getBoolean("java.awt.headless") && isReachable(display);
  }

  /**
   * Whether an X display, such as {@code :0} or {@code host:10.0}, accepts connections. Java must
   * not find out itself: after it has failed to open a display it cannot draw, not even into files.
   */
  static boolean isReachable(String display) {
    String host = display.substring(0, display.lastIndexOf(':'));
    String number = display.substring(host.length() + 1).replaceFirst("\\..*", "");
    if (!number.matches("\\d{1,4}")) {
      return false;
    }
    if (host.isEmpty() || host.equals("unix")) {
      return Files.exists(Path.of("/tmp/.X11-unix/X" + number));
    }
    try (Socket socket = new Socket()) {
      int port = FIRST_PORT + Integer.parseInt(number);
      socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Shows figures, each on a tab, until the user closes the window. */
  static void show(List<String> names, List<BufferedImage> figures) throws InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    SwingUtilities.invokeLater(() -> open(names, figures, closed));
    closed.await();
  }

  private static void open(List<String> names, List<BufferedImage> figures, CountDownLatch closed) {
    JTabbedPane tabs = new JTabbedPane();
    for (int i = 0; i < figures.size(); i++) {
      tabs.addTab(names.get(i), new JScrollPane(new JLabel(new ImageIcon(figures.get(i)))));
    }
    JFrame frame = new JFrame("amb plot");
    frame.setDefaultCloseOperation(JFrame.DISPOSE_ON_CLOSE);
    frame.addWindowListener(
        new WindowAdapter() {
          @Override
          public void windowClosed(WindowEvent event) {
            closed.countDown();
          }
        });
    frame.add(tabs);
    frame.pack();
    frame.setVisible(true);
  }
}
