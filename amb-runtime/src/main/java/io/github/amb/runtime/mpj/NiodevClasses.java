package io.github.amb.runtime.mpj;

import static java.util.Map.entry;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Replaces instructions in the classes of MPJ Express' niodev. */
final class NiodevClasses {
  private static final int API = Opcodes.ASM9;
  private static final int MAGIC = 0xCAFEBABE;
  private static final String EXPRESS = "io/github/amb/runtime/mpj/express/";
  private static final String DEVICE = "xdev/niodev/NIODevice";
  private static final String ADDRESS = "java/net/InetSocketAddress";
  private static final String BOUND_ADDRESS = EXPRESS + "BoundAddress";
  private static final String SOCKET = "java/net/Socket";
  private static final String RENDEZVOUS_SOCKET = EXPRESS + "RendezvousSocket";
  private static final String HOST = "java/net/InetAddress";
  private static final String BUFFERS = "mpjbuf/BufferFactory";
  private static final String DEVICE_BUFFERS = EXPRESS + "DeviceBuffers";

  /** The replacements, by class and instruction. */
  private static final Map<String, Map<Instruction, Instruction>> REPLACED =
      Map.of(
          DEVICE,
          Map.ofEntries(
              // niodev listens on every address of the host.
              moved(new Instruction(Opcodes.NEW, ADDRESS, "new", ""), BOUND_ADDRESS),
              moved(constructor(ADDRESS, "(I)V"), BOUND_ADDRESS),
              moved(constructor(ADDRESS, "(Ljava/lang/String;I)V"), BOUND_ADDRESS),
              // niodev looks up this host's name, for messages alone, and fails if there is none.
              entry(
                  staticCall(HOST, "getLocalHost", "()Ljava/net/InetAddress;"),
                  staticCall(HOST, "getLoopbackAddress", "()Ljava/net/InetAddress;")),
              // niodev allocates what the header of a message claims.
              moved(staticCall(BUFFERS, "create", "(I)Lmpjbuf/RawBuffer;"), DEVICE_BUFFERS),
              moved(staticCall(BUFFERS, "destroy", "(Lmpjbuf/RawBuffer;)V"), DEVICE_BUFFERS),
              // niodev trusts any server as MPJ Express' launcher.
              moved(new Instruction(Opcodes.NEW, SOCKET, "new", ""), RENDEZVOUS_SOCKET),
              moved(constructor(SOCKET, "(Ljava/lang/String;I)V"), RENDEZVOUS_SOCKET),
              // niodev trusts the peer to which it connects.
              guarded("java/nio/channels/SocketChannel", "connect", "(Ljava/net/SocketAddress;)Z"),
              // niodev trusts any peer that connects.
              guarded(
                  "java/nio/channels/ServerSocketChannel",
                  "register",
                  "(Ljava/nio/channels/Selector;I)Ljava/nio/channels/SelectionKey;")),
          DEVICE + "$2",
          Map.ofEntries(
              // niodev's selector continues after bytes that are not a message.
              moved(
                  new Instruction(
                      Opcodes.GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;"),
                  EXPRESS + "DeviceSystem")));

  /**
   * An instruction that names a member of a class, or the class alone if the name is {@code new}.
   */
  private record Instruction(int opcode, String owner, String name, String descriptor) {
    @Override
    public String toString() {
      return owner + "." + name + descriptor;
    }
  }

  private NiodevClasses() {}

  private static Instruction constructor(String owner, String descriptor) {
    return new Instruction(Opcodes.INVOKESPECIAL, owner, "<init>", descriptor);
  }

  private static Instruction staticCall(String owner, String name, String descriptor) {
    return new Instruction(Opcodes.INVOKESTATIC, owner, name, descriptor);
  }

  /** A replacement by the same member of another class. */
  private static Map.Entry<Instruction, Instruction> moved(Instruction from, String owner) {
    return entry(from, new Instruction(from.opcode, owner, from.name, from.descriptor));
  }

  /**
   * A replacement by the static method of that name in {@code AuthenticatedConnections}, whose
   * first parameter is the object.
   */
  private static Map.Entry<Instruction, Instruction> guarded(
      String owner, String name, String descriptor) {
    return entry(
        new Instruction(Opcodes.INVOKEVIRTUAL, owner, name, descriptor),
        staticCall(
            EXPRESS + "AuthenticatedConnections",
            name,
            "(L" + owner + ";" + descriptor.substring(1)));
  }

  /** Names of the classes with replaced instructions, as {@link Class#getName} returns them. */
  static List<String> names() {
    return REPLACED.keySet().stream().map(name -> name.replace('/', '.')).sorted().toList();
  }

  /**
   * Whether a class has replaced instructions.
   *
   * @param name as {@link Class#getName} returns it
   */
  static boolean contains(String name) {
    return REPLACED.containsKey(internal(name));
  }

  /**
   * A copy of a class file with its instructions replaced.
   *
   * @param name as {@link Class#getName} returns it; a {@linkplain #contains contained} class
   * @param classFile not modified
   * @throws IOException if it is not a class file, or lacks an instruction that is to be replaced
   */
  static byte[] replace(String name, byte[] classFile) throws IOException {
    Map<Instruction, Instruction> replaced = REPLACED.get(internal(name));
    Set<Instruction> missing = new HashSet<>(replaced.keySet());
    byte[] patched = copy(classFile, replaced, missing);
    if (!missing.isEmpty()) {
      throw new IOException(
          "expected "
              + missing.stream()
                  .map(Instruction::toString)
                  .sorted()
                  .collect(Collectors.joining(", "))
              + " in its code, found none");
    }
    return patched;
  }

  private static String internal(String name) {
    return name.replace('.', '/');
  }

  /** Copies a class file; removes the replaced instructions from {@code missing}. */
  private static byte[] copy(
      byte[] classFile, Map<Instruction, Instruction> replaced, Set<Instruction> missing)
      throws IOException {
    try {
      ClassReader reader = new ClassReader(classFile);
      if (reader.readInt(0) != MAGIC) {
        throw new IOException("expected a class file, found other bytes");
      }
      ClassWriter writer = new ClassWriter(reader, 0);
      reader.accept(new Replacer(writer, replaced, missing), 0);
      return writer.toByteArray();
    } catch (RuntimeException e) {
      // ASM throws various exceptions for bytes that are not a class file.
      throw new IOException("expected a class file, found other bytes");
    }
  }

  private static final class Replacer extends ClassVisitor {
    private final Map<Instruction, Instruction> replaced;
    private final Set<Instruction> missing;

    Replacer(ClassVisitor next, Map<Instruction, Instruction> replaced, Set<Instruction> missing) {
      super(API, next);
      this.replaced = replaced;
      this.missing = missing;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new Code(next);
    }

    private Instruction inPlaceOf(Instruction found) {
      missing.remove(found);
      return replaced.getOrDefault(found, found);
    }

    private final class Code extends MethodVisitor {
      Code(MethodVisitor next) {
        super(API, next);
      }

      @Override
      public void visitTypeInsn(int opcode, String type) {
        super.visitTypeInsn(opcode, inPlaceOf(new Instruction(opcode, type, "new", "")).owner);
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        Instruction now = inPlaceOf(new Instruction(opcode, owner, name, descriptor));
        super.visitFieldInsn(now.opcode, now.owner, now.name, now.descriptor);
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        Instruction now = inPlaceOf(new Instruction(opcode, owner, name, descriptor));
        super.visitMethodInsn(now.opcode, now.owner, now.name, now.descriptor, isInterface);
      }
    }
  }
}
