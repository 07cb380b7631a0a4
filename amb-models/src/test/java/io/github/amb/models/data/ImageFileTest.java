package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFileTest {
  /** 16 rows of the 16 gray values of 4 bits. */
  private static final String GRAY =
      "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQBAAAAAD/aE28AAAAFUlEQVR4nGNgVHZN71x99j3D4GAAAIhA"
          + "PAGVEPBnAAAAAElFTkSuQmCC";

  /** Cyan 75, magenta and yellow 255, key 0; Pillow reads (180, 0, 0). */
  private static final String CMYK =
      "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJ"
          + "CAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEB"
          + "AQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQci"
          + "cRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm"
          + "Z2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV"
          + "1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD7Qr8Y/wDhN/8Agn1/0bF8ZP8A"
          + "w+2k/wDzL1/P/X7+UUf8Jv8A8E+v+jYvjJ/4fbSf/mXooorxuiiiiiiv/9k=";

  private static final int SIDE = 40;

  @TempDir Path folder;
  private ReadingNotes notes;

  @BeforeEach
  void nothingNoted() {
    notes = new ReadingNotes(folder);
  }

  private ImageFile read(String name, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve(name), content);
    return ImageFile.read(file, (height, width) -> {}, notes);
  }

  private void expectDamaged(String name, byte[] content) {
    String problem = assertThrows(UsageException.class, () -> read(name, content)).getMessage();
    assertTrue(problem.startsWith(folder.resolve(name) + ": expected an image"), problem);
  }

  private void expectNote(String expected) {
    String note = notes.toString();
    assertTrue(note.contains(expected), note);
  }

  private static byte[] encoded(BufferedImage image, String format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, format, out));
    return out.toByteArray();
  }

  private static BufferedImage noise(int type) {
    BufferedImage image = new BufferedImage(SIDE, SIDE, type);
    Random random = new Random(1);
    for (int i = 0; i < SIDE * SIDE; i++) {
      image.setRGB(i % SIDE, i / SIDE, random.nextInt());
    }
    return image;
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpg", "png", "gif", "bmp"})
  void anImageThatIsCutAnywhereIsRejected(String format) throws IOException {
    byte[] whole = encoded(noise(BufferedImage.TYPE_INT_RGB), format);
    assertEquals(3, read("whole." + format, whole).channels());
    assertEquals("", notes.toString());
    for (int percent = 10; percent <= 90; percent += 20) {
      expectDamaged("cut." + format, Arrays.copyOf(whole, whole.length * percent / 100));
    }
  }

  @Test
  void grayOfFourBitsHasOneChannelFrom0To255() throws IOException {
    ImageFile gray = read("gray.png", Base64.getDecoder().decode(GRAY));
    assertEquals(1, gray.channels());
    byte[] plane = gray.plane(0);
    for (int i = 0; i < 16; i++) {
      assertEquals(17 * i, plane[i] & 0xff);
    }
    assertEquals("", notes.toString());
  }

  @Test
  void aPaletteOfGraysIsColor() throws IOException {
    byte[] levels = {0, 50, 100, (byte) 150};
    var palette = new IndexColorModel(2, 4, levels, levels, levels);
    var image = new BufferedImage(4, 1, BufferedImage.TYPE_BYTE_BINARY, palette);
    image.getRaster().setPixels(0, 0, 4, 1, new int[] {0, 1, 2, 3});
    ImageFile read = read("palette.gif", encoded(image, "gif"));
    assertEquals(3, read.channels());
    assertArrayEquals(levels, read.plane(2));
  }

  @Test
  void cmykHasTheColorsOfPillow() throws IOException {
    ImageFile cmyk = read("cmyk.jpg", Base64.getMimeDecoder().decode(CMYK));
    assertEquals(3, cmyk.channels());
    assertEquals(180, cmyk.plane(0)[0] & 0xff);
    assertEquals(0, cmyk.plane(1)[0] & 0xff);
    expectNote("CMYK images converted to RGB without a color profile: 1");
  }

  @Test
  void transparencyIsNotedIfThereIsAny() throws IOException {
    var image = new BufferedImage(2, 1, BufferedImage.TYPE_INT_ARGB);
    image.setRGB(0, 0, 0xff102030);
    image.setRGB(1, 0, 0xff102030);
    read("opaque.png", encoded(image, "png"));
    assertEquals("", notes.toString());
    image.setRGB(1, 0, 0x80102030);
    assertEquals(0x20, read("glass.png", encoded(image, "png")).plane(1)[1]);
    expectNote("transparency is ignored: 1, as glass.png");
  }

  @Test
  void sixteenBitsAreNoted() throws IOException {
    var image = new BufferedImage(1, 1, BufferedImage.TYPE_USHORT_GRAY);
    image.getRaster().setSample(0, 0, 0, 0x8080);
    assertEquals(0x80, read("deep.png", encoded(image, "png")).plane(0)[0] & 0xff);
    expectNote("images of 16 bits a channel reduced to 8: 1");
  }

  @Test
  void theFirstImageOfAnAnimationIsRead() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
    try (ImageOutputStream stream = ImageIO.createImageOutputStream(out)) {
      writer.setOutput(stream);
      writer.prepareWriteSequence(null);
      for (int gray : new int[] {0, 0xffffff}) {
        BufferedImage image = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_BINARY);
        image.setRGB(0, 0, gray);
        writer.writeToSequence(new IIOImage(image, null, null), null);
      }
      writer.endWriteSequence();
    }
    assertEquals(0, read("two.gif", out.toByteArray()).plane(0)[0]);
    expectNote("animations, of which the first image is read: 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"II", "MM"})
  void anOrientationInExifIsNoted(String order) throws IOException {
    byte[] plain = encoded(noise(BufferedImage.TYPE_INT_RGB), "jpg");
    read("upright.jpg", exif(plain, order, 1));
    assertFalse(notes.toString().contains("EXIF"));
    read("turned.jpg", exif(plain, order, 6));
    expectNote("images whose EXIF orientation is ignored: 1");
  }

  /** The image with an EXIF segment after its first marker. */
  private static byte[] exif(byte[] jpeg, String order, int orientation) {
    boolean little = order.equals("II");
    ByteBuffer tiff = ByteBuffer.allocate(26);
    tiff.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    tiff.put(order.getBytes(StandardCharsets.US_ASCII)).putShort((short) 42).putInt(8);
    tiff.putShort((short) 1).putShort((short) 0x112).putShort((short) 3).putInt(1);
    tiff.putShort((short) orientation).putShort((short) 0).putInt(0);
    ByteBuffer out = ByteBuffer.allocate(jpeg.length + 10 + tiff.capacity());
    out.put(jpeg, 0, 2).putShort((short) 0xffe1).putShort((short) (8 + tiff.capacity()));
    out.put("Exif\0\0".getBytes(StandardCharsets.US_ASCII)).put(tiff.array());
    return out.put(jpeg, 2, jpeg.length - 2).array();
  }
}
