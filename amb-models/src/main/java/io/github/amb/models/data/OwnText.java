package io.github.amb.models.data;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.DataSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A user's own text, as a data set whose arguments have its path. */
final class OwnText extends OwnData {
  /** The usual number of tokens of a window. */
  static final int CONTEXT = 64;

  private static final int MAX_CONTEXT = 1 << 16;
  static final String CHARACTERS = "characters";

  private final String typed;
  private final String tokens;
  private final int context;

  OwnText(String typed, String tokens, int context) {
    super("text", typed == null ? null : Path.of(typed));
    this.typed = typed;
    this.tokens = tokens;
    this.context = context;
  }

  /** The chosen number of tokens of a window. */
  static int context(EntryArguments arguments) {
    return arguments.count("context", CONTEXT, 1, MAX_CONTEXT);
  }

  @Override
  public Description description() {
    return Description.of("text", "your own text: a file in UTF-8, or a folder of such files")
        .use("Language models that predict the next character, byte or token of GPT-2.");
  }

  @Override
  public String arguments() {
    return ":FILE[,context=" + CONTEXT + "][,tokens=characters|bytes|gpt2|bpe:FILE]";
  }

  @Override
  public DataSetDefinition chosen(String text, EntryArguments arguments) {
    int window = context(arguments);
    String chosen = arguments.text("tokens", CHARACTERS);
    return new OwnText(arguments.text(null), chosen, window);
  }

  /** nanoGPT's network for processors, which {@code nano-gpt} is for windows of 64 tokens. */
  static String network(int context) {
    return context <= CONTEXT ? "nano-gpt" : "gpt:4,4,128," + context;
  }

  @Override
  public String network() {
    return network(context);
  }

  @Override
  DataSet open() throws IOException {
    return TextFiles.at(path).read(name() + ":" + typed, Tokenizer.named(tokens), context);
  }

  @Override
  Map<String, String> sums() throws IOException {
    Map<String, String> sums = new TreeMap<>();
    sums.put(typed + " (names and contents)", Sha256.of(path, TextFiles.at(path).files()));
    if (tokens.startsWith(Tokenizer.MERGES)) {
      String merges = tokens.substring(Tokenizer.MERGES.length());
      sums.put(merges, Sha256.of(Path.of(merges)));
    }
    return sums;
  }
}
