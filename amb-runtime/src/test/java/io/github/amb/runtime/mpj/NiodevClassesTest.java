package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class NiodevClassesTest {
  private static final String DEVICE = "xdev.niodev.NIODevice";
  private static final String OURS = "io/github/amb/runtime/mpj/express/";
  private static final String REGISTERS =
      "Ljava/nio/channels/Selector;I)Ljava/nio/channels/SelectionKey;";

  /** By class, each instruction that is replaced, and by which: opcode, owner, name, descriptor. */
  private static final Map<String, Map<String, String>> REPLACED =
      Map.of(
          DEVICE,
          Map.of(
              "187 java/net/Socket  ",
              "187 " + OURS + "RendezvousSocket  ",
              "183 java/net/Socket <init> (Ljava/lang/String;I)V",
              "183 " + OURS + "RendezvousSocket <init> (Ljava/lang/String;I)V",
              "187 java/net/InetSocketAddress  ",
              "187 " + OURS + "BoundAddress  ",
              "183 java/net/InetSocketAddress <init> (I)V",
              "183 " + OURS + "BoundAddress <init> (I)V",
              "183 java/net/InetSocketAddress <init> (Ljava/lang/String;I)V",
              "183 " + OURS + "BoundAddress <init> (Ljava/lang/String;I)V",
              "184 java/net/InetAddress getLocalHost ()Ljava/net/InetAddress;",
              "184 java/net/InetAddress getLoopbackAddress ()Ljava/net/InetAddress;",
              "184 mpjbuf/BufferFactory create (I)Lmpjbuf/RawBuffer;",
              "184 " + OURS + "DeviceBuffers create (I)Lmpjbuf/RawBuffer;",
              "184 mpjbuf/BufferFactory destroy (Lmpjbuf/RawBuffer;)V",
              "184 " + OURS + "DeviceBuffers destroy (Lmpjbuf/RawBuffer;)V",
              "182 java/nio/channels/SocketChannel connect (Ljava/net/SocketAddress;)Z",
              "184 "
                  + OURS
                  + "AuthenticatedConnections connect (Ljava/nio/channels/SocketChannel;Ljava/net/SocketAddress;)Z",
              "182 java/nio/channels/ServerSocketChannel register (" + REGISTERS,
              "184 "
                  + OURS
                  + "AuthenticatedConnections register (Ljava/nio/channels/ServerSocketChannel;"
                  + REGISTERS),
          DEVICE + "$2",
          Map.of(
              "178 java/lang/System out Ljava/io/PrintStream;",
              "178 " + OURS + "DeviceSystem out Ljava/io/PrintStream;"));

  static Stream<String> names() {
    return REPLACED.keySet().stream().sorted();
  }

  static Stream<Arguments> instructions() {
    return names()
        .flatMap(
            name ->
                REPLACED.get(name).keySet().stream().sorted().map(one -> Arguments.of(name, one)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void onlyTheseInstructionsAreReplaced(String name) throws IOException {
    Map<String, String> replaced = REPLACED.get(name);
    List<String> original = instructionsOf(classFile(name));
    List<String> patched = instructionsOf(NiodevClasses.replace(name, classFile(name)));
    assertTrue(original.containsAll(replaced.keySet()));
    assertIterableEquals(
        original.stream().map(one -> replaced.getOrDefault(one, one)).toList(), patched);
  }

  @ParameterizedTest
  @MethodSource("instructions")
  void aClassWithoutOneOfThemIsRejected(String name, String instruction) throws IOException {
    byte[] other = rewritten(classFile(name), one -> one.equals(instruction));
    IOException rejected =
        assertThrows(IOException.class, () -> NiodevClasses.replace(name, other));
    String[] parts = instruction.split(" ", 4);
    String member = parts[2].isBlank() ? "new" : parts[2] + parts[3];
    assertEquals(
        "expected " + parts[1] + "." + member + " in its code, found none", rejected.getMessage());
  }

  @Test
  void otherClassesHaveNothingToReplace() {
    assertTrue(names().allMatch(NiodevClasses::contains));
    assertFalse(NiodevClasses.contains(DEVICE + "$1"));
  }

  @Property(tries = 200)
  void otherFilesThanClassesAreRejected(
      @ForAll byte[] random, @ForAll @IntRange(max = 100_000) int cut) throws IOException {
    for (String name : names().toList()) {
      byte[] whole = classFile(name);
      assertRejected(name, random);
      assertRejected(name, Arrays.copyOf(whole, cut % whole.length));
      whole[cut % Integer.BYTES]++;
      assertRejected(name, whole);
    }
  }

  private static void assertRejected(String name, byte[] bytes) {
    IOException rejected =
        assertThrows(IOException.class, () -> NiodevClasses.replace(name, bytes));
    assertEquals("expected a class file, found other bytes", rejected.getMessage());
  }

  private static byte[] classFile(String name) throws IOException {
    try (JarFile jar = new JarFile(WorldLoader.findJar().toFile());
        InputStream in = jar.getInputStream(jar.getEntry(name.replace('.', '/') + ".class"))) {
      return in.readAllBytes();
    }
  }

  private static List<String> instructionsOf(byte[] classFile) {
    List<String> found = new ArrayList<>();
    rewritten(classFile, found::add);
    return found;
  }

  /** A copy that names a class that is not in place of the owners of some instructions. */
  private static byte[] rewritten(byte[] classFile, Predicate<String> chosen) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(classFile).accept(new Rewriter(writer, chosen), 0);
    return writer.toByteArray();
  }

  private static final class Rewriter extends ClassVisitor {
    private final Predicate<String> chosen;

    Rewriter(ClassVisitor next, Predicate<String> chosen) {
      super(Opcodes.ASM9, next);
      this.chosen = chosen;
    }

    private String owner(int opcode, String owner, String name, String descriptor) {
      boolean other = chosen.test(opcode + " " + owner + " " + name + " " + descriptor);
      return other ? "x/Y" : owner;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitTypeInsn(int opcode, String type) {
          super.visitTypeInsn(opcode, owner(opcode, type, "", ""));
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
          super.visitFieldInsn(opcode, owner(opcode, owner, name, descriptor), name, descriptor);
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean isInterface) {
          super.visitMethodInsn(
              opcode, owner(opcode, owner, name, descriptor), name, descriptor, isInterface);
        }
      };
    }
  }
}
