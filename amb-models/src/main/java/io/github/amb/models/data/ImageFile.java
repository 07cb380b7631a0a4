package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.ImageShape;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

/**
 * A decoded image. Gray ones have one channel, whatever their bits. All others have three: palettes
 * and CMYK become RGB. Alpha and the orientation of EXIF are ignored.
 */
record ImageFile(BufferedImage image, boolean gray, boolean cmyk) {
  /** Checks the size in a file's header before any pixel is decoded. */
  interface SizeCheck {
    void expect(int height, int width);
  }

  /** Warnings of decoders about metadata; all others are about pixels. */
  private static final Pattern HARMLESS = Pattern.compile(".*(extraneous bytes|ICC|JFIF).*");

  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};
  private static final int PNG_COLOR_TYPE = 25;
  private static final List<Integer> PNG_GRAY = List.of(0, 4);
  private static final int HEAD = 1 << 16;
  private static final byte[] EXIF = "Exif\0\0".getBytes(StandardCharsets.US_ASCII);
  private static final int EXIF_MARKER = 0xe1;
  private static final int SCAN_MARKER = 0xda;
  private static final int ORIENTATION = 0x112;

  /**
   * Decodes an image.
   *
   * @param size receives the size in the header
   * @param notes receives what is ignored or converted
   * @throws UsageException if it is none, or is damaged
   */
  static ImageFile read(Path file, SizeCheck size, ReadingNotes notes) {
    try (ImageInputStream in =
        ImageIO.createImageInputStream(BoundedFile.expectFile(file).toFile())) {
      Iterator<ImageReader> readers =
          in == null ? Collections.emptyIterator() : ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new UsageException("%s: expected an image, found something else", file);
      }
      ByteBuffer head = head(in);
      ImageReader reader = readers.next();
      try {
        return read(file, reader, in, head, size, notes);
      } finally {
        reader.dispose();
      }
    } catch (UsageException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // The readers of some formats do not check their indices.
      throw damaged(file, e.toString());
    }
  }

  private static UsageException damaged(Path file, String found) {
    return new UsageException("%s: expected an image, found a damaged one: %s", file, found);
  }

  private static ImageFile read(
      Path file,
      ImageReader reader,
      ImageInputStream in,
      ByteBuffer head,
      SizeCheck size,
      ReadingNotes notes)
      throws IOException {
    List<String> warnings = new ArrayList<>();
    reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
    reader.setInput(in, false, true);
    int height = reader.getHeight(0);
    int width = reader.getWidth(0);
    if ((long) height * width > DataLimits.IMAGE_PIXELS) {
      throw new UsageException(
          "%s: expected an image of at most %d pixels, found %dx%d",
          file, DataLimits.IMAGE_PIXELS, height, width);
    }
    size.expect(height, width);
    BufferedImage image = reader.read(0);
    for (String warning : warnings) {
      if (!HARMLESS.matcher(warning).matches()) {
        throw damaged(file, warning);
      }
      notes.count("images with a warning of their decoder", file);
    }
    if (reader.getFormatName().equals("gif") && reader.getNumImages(true) > 1) {
      notes.count("animations, of which the first image is read", file);
    }
    if (orientation(head) > 1) {
      notes.count("images whose EXIF orientation is ignored", file);
    }
    boolean cmyk = image.getColorModel().getColorSpace().getType() == ColorSpace.TYPE_CMYK;
    ImageFile read = new ImageFile(image, isGray(image, head), cmyk);
    read.note(file, notes);
    return read;
  }

  private void note(Path file, ReadingNotes notes) {
    if (cmyk) {
      notes.count("CMYK images converted to RGB without a color profile", file);
    } else if (!gray && !image.getColorModel().getColorSpace().isCS_sRGB()) {
      notes.count("images converted to sRGB by their color profile", file);
    }
    if (image.getSampleModel().getSampleSize(0) > Byte.SIZE) {
      notes.count("images of 16 bits a channel reduced to 8", file);
    }
    if (image.getColorModel().hasAlpha() && isTransparent()) {
      notes.count("images whose transparency is ignored", file);
    }
  }

  private boolean isTransparent() {
    for (int y = 0; y < height(); y++) {
      for (int x = 0; x < width(); x++) {
        if (image.getRGB(x, y) >>> 24 != 255) {
          return true;
        }
      }
    }
    return false;
  }

  /** The first bytes; the position in the file is not changed. */
  private static ByteBuffer head(ImageInputStream in) throws IOException {
    byte[] head = new byte[HEAD];
    in.mark();
    int length = 0;
    for (int read = 0; read >= 0 && length < HEAD; read = in.read(head, length, HEAD - length)) {
      length += read;
    }
    in.reset();
    return ByteBuffer.wrap(head, 0, length).slice();
  }

  /** Java decodes gray of 1, 2 or 4 bits as a palette, which the header tells apart. */
  private static boolean isGray(BufferedImage image, ByteBuffer head) {
    boolean png = head.limit() > PNG_COLOR_TYPE && has(head, 0, PNG);
    return png
        ? PNG_GRAY.contains((int) head.get(PNG_COLOR_TYPE))
        : image.getColorModel().getNumColorComponents() == 1;
  }

  private static boolean has(ByteBuffer bytes, int from, byte[] expected) {
    return from + expected.length <= bytes.limit()
        && bytes.slice(from, expected.length).equals(ByteBuffer.wrap(expected));
  }

  /** The orientation in the EXIF segment of a JPEG file, 1 to 8; 1 if there is none. */
  private static int orientation(ByteBuffer head) {
    try {
      if (head.getShort(0) != (short) 0xffd8) {
        return 1;
      }
      for (int at = 2; (head.get(at) & 0xff) == 0xff; at += 2 + (head.getShort(at + 2) & 0xffff)) {
        int marker = head.get(at + 1) & 0xff;
        if (marker == EXIF_MARKER && has(head, at + 4, EXIF)) {
          return tiffOrientation(head.slice(at + 10, head.limit() - at - 10));
        }
        if (marker == SCAN_MARKER) {
          return 1;
        }
      }
    } catch (IndexOutOfBoundsException | BufferUnderflowException e) {
      // Cut, or not EXIF: the image is shown as it is.
    }
    return 1;
  }

  /** TIFF 6.0: byte order, 42, offset of the directory; entries of tag, type, count, value. */
  private static int tiffOrientation(ByteBuffer tiff) {
    tiff.order(tiff.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int directory = tiff.getInt(4);
    int entries = tiff.getShort(directory) & 0xffff;
    for (int i = 0; i < entries; i++) {
      int entry = directory + 2 + 12 * i;
      if (tiff.getShort(entry) == ORIENTATION) {
        return tiff.getShort(entry + 8);
      }
    }
    return 1;
  }

  int channels() {
    return gray ? 1 : 3;
  }

  int height() {
    return image.getHeight();
  }

  int width() {
    return image.getWidth();
  }

  /**
   * Writes all channels, scaled to a size, as unsigned bytes.
   *
   * @param shape has that size, and as many channels, or three for a gray image
   * @param pixels receives them from index {@code start}
   */
  void copy(ImageShape shape, byte[] pixels, int start) {
    ImageSize size = new ImageSize(shape.height(), shape.width());
    int plane = size.height() * size.width();
    for (int channel = 0; channel < shape.channels(); channel++) {
      byte[] scaled = size.scale(plane(channel), new ImageSize(height(), width()));
      System.arraycopy(scaled, 0, pixels, start + channel * plane, plane);
    }
  }

  /** One channel, unsigned, row by row; the gray values for any channel of a gray image. */
  byte[] plane(int channel) {
    byte[] plane = new byte[height() * width()];
    int at = 0;
    for (int y = 0; y < height(); y++) {
      for (int x = 0; x < width(); x++) {
        plane[at++] = (byte) sample(x, y, channel);
      }
    }
    return plane;
  }

  private int sample(int x, int y, int channel) {
    if (gray) {
      // Not through getRGB, as it would convert linear gray to sRGB.
      int most = (1 << image.getSampleModel().getSampleSize(0)) - 1;
      return (int) (image.getRaster().getSample(x, y, 0) * 255L / most);
    }
    if (cmyk) {
      int white = 255 - image.getRaster().getSample(x, y, 3);
      return white - Math.round(image.getRaster().getSample(x, y, channel) * white / 255f);
    }
    return image.getRGB(x, y) >> (16 - 8 * channel);
  }
}
