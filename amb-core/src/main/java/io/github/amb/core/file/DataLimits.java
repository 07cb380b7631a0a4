package io.github.amb.core.file;

/**
 * Limits on foreign files. A file beyond a limit is rejected before it is decoded. {@code
 * docs/reference/limits.md} has a table of all limits.
 */
public final class DataLimits {
  /** Number of classes of a data set. */
  public static final int CLASSES = 1 << 16;

  /** Bytes of the decoded features of all training examples, and of all test examples. */
  public static final long EXAMPLE_BYTES = Integer.MAX_VALUE - 8;

  /** Bytes of the header of an array in an NPZ file. */
  public static final int NPY_HEADER_BYTES = 1 << 16;

  /** Characters of one line of a CSV file. */
  public static final int CSV_LINE_CHARACTERS = 1 << 24;

  /** Pixels of one image in a folder of images. */
  public static final int IMAGE_PIXELS = 1 << 26;

  /** Bytes of a file of the merges of a vocabulary. */
  public static final int VOCABULARY_BYTES = 1 << 24;

  /** Bytes of the decoded JSON configuration of a network. */
  public static final int NETWORK_JSON_BYTES = 1 << 24;

  /** Parameters of a network saved by DL4J or in a file of ONNX. */
  public static final int NETWORK_PARAMETERS = 1 << 28;

  /** Bytes of a file of options. */
  public static final int CONFIG_BYTES = 1 << 20;

  /** Bytes of {@code run.json}, and of a settings file of another program. */
  public static final int RUN_JSON_BYTES = 1 << 24;

  /** Bytes of a log that is held in memory: for a replay, or of another program. */
  public static final int LOG_BYTES = 1 << 30;

  /** Bytes of one line of a log in a run directory. */
  public static final int LOG_LINE_BYTES = 1 << 20;

  /** Seconds that one address may take to send a file. */
  public static final int DOWNLOAD_SECONDS = 4 * 3600;

  private DataLimits() {}
}
