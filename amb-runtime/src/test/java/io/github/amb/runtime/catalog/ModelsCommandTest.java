package io.github.amb.runtime.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.command.Command;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class ModelsCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void isFoundAsAService() throws Exception {
    assertTrue(
        ServiceLoader.load(Command.class).stream()
            .anyMatch(provider -> provider.type() == ModelsCommand.class));
  }

  @Test
  void printsLayersShapesAndCounts() throws Exception {
    assertEquals(0, run("toy-conv"));
    assertEquals(
        """
        toy-conv: a small convolutional network
          use       Tests of convolutions that take no time.
          set       expects examples of 1x10x10; --norm none unless set
          source    AMB
          size      input 1x10x10, 10 classes, 57,866 parameters
          layer      type        output         parameters
          conv1      Convolution 32x10x10              832
          pool1      Subsampling 32x5x5                  0
          pool1-relu Activation  32x5x5                  0
          conv2      Convolution 64x5x5             51,264
          pool2      Subsampling 64x3x3                  0
          pool2-relu Activation  64x3x3                  0
          fc1        Output      10                  5,770
        """,
        out.toString().replaceFirst("\n\n$", "\n"));
  }

  @Test
  void listsAllNetworksByDefault() throws Exception {
    run();
    for (String name : Networks.ALL.names()) {
      assertTrue(out.toString().contains("\n  " + name + " "), name);
    }
  }

  @Test
  void unknownNamesAreRejectedBeforeOutput() throws Exception {
    assertTrue(problem("toy-conv", "toy-cnv").contains("did you mean 'toy-conv'?"));
    assertTrue(problem("--all").contains("unknown option --all"));
    assertEquals("", out.toString());
  }

  private String problem(String... arguments) {
    return assertThrows(UsageException.class, () -> run(arguments)).getMessage();
  }

  private int run(String... arguments) throws Exception {
    PrintStream lines = new PrintStream(out, true);
    return new ModelsCommand().printingTo(lines, lines).run(List.of(arguments));
  }
}
