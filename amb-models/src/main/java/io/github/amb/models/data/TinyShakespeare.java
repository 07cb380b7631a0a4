package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.source.Download;
import io.github.amb.models.data.source.PublishedFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Parts of Shakespeare's plays, on which small language models of characters are compared.
 *
 * @param context tokens of a window
 */
record TinyShakespeare(int context) implements DataSetDefinition {
  private static final int CHARACTERS = 1_115_394;

  private static final PublishedFile FILE =
      new PublishedFile(
          "tinyshakespeare.txt",
          null,
          0,
          "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed");

  private static final URI ADDRESS =
      URI.create(
          "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt");

  @Override
  public Description description() {
    return Description.of(
            "tinyshakespeare", "40,000 lines of Shakespeare, 1,115,394 characters of 65 kinds")
        .use("Small language models of characters; nano-gpt reaches a loss of 1.9.")
        .source("Karpathy, The Unreasonable Effectiveness of Recurrent Neural Networks, 2015")
        .aliases("tiny-shakespeare");
  }

  @Override
  public String arguments() {
    return "[:context=" + OwnText.CONTEXT + "]";
  }

  @Override
  public DataSetDefinition chosen(String text, EntryArguments arguments) {
    return new TinyShakespeare(OwnText.context(arguments));
  }

  @Override
  public String network() {
    return OwnText.network(context);
  }

  @Override
  public int trainingExamples() {
    return TextFiles.trainingTokens(CHARACTERS) - context;
  }

  @Override
  public int testExamples() {
    return TextFiles.testWindows(CHARACTERS, context);
  }

  @Override
  public List<PublishedFile> files() {
    return List.of(FILE);
  }

  @Override
  public void fetch(Path directory, Download download, Consumer<String> progress)
      throws IOException {
    Path target = directory.resolve(folder()).resolve(FILE.name());
    download.fetch(target, FILE.plainSha256(), CHARACTERS, List.of(ADDRESS), progress);
  }

  @Override
  public DataSet load(Path directory, long seed) {
    return TextFiles.at(new DataDirectory(this, directory).find(FILE))
        .read(name(), new CharacterTokens(new BitSet()), context);
  }
}
