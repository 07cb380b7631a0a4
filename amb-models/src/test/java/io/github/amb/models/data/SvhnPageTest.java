package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page's conversion of SVHN's files; skipped without SciPy. */
@Tag("system")
@Timeout(120)
class SvhnPageTest {
  private static final Path PAGE = Path.of("../docs/how-to/use-your-own-data.md");
  private static final Pattern PROGRAM =
      Pattern.compile("python3 -c \"\n(import numpy, scipy.*?)\"\n```", Pattern.DOTALL);

  /**
   * As {@code train_32x32.mat} of http://ufldl.stanford.edu/housenumbers is: version 5, compressed,
   * X [32, 32, 3, n] and y [n, 1] with 10 for the digit 0. A pixel is one of its place.
   */
  private static final String FILES =
      """
      import numpy as n, scipy.io
      for part, labels in ('train', [10, 3, 9]), ('test', [1, 10]):
          r, c, p, i = n.indices((32, 32, 3, len(labels)))
          scipy.io.savemat(part + '_32x32.mat', do_compression=True, mdict={
              'X': (r + 2 * c + 60 * p + i).astype('u1'), 'y': n.array([labels], 'u1').T})
      """;

  @TempDir Path folder;

  @Tag("lab")
  @Test
  void theProgramOfThePageConvertsTheFiles() throws Exception {
    assumeTrue(run("import scipy.io") == 0, "SKIPPED: there is no SciPy");
    Matcher page = PROGRAM.matcher(Files.readString(PAGE));
    assertTrue(page.find(), "no program on the page");
    assertEquals(0, run(FILES));
    assertEquals(0, run(page.group(1)));
    DataSet data = DataSets.load(folder.resolve("svhn.npz").toString(), null, 1);
    assertEquals(new ImageShape(3, 32, 32), data.shape());
    assertEquals(10, data.classes());
    assertEquals(3, data.train().count());
    assertEquals(0, data.train().label(0));
    assertEquals(9, data.train().label(2));
    assertEquals(0, data.test().label(1));
    float[] image = new float[3072];
    data.test().copyFeatures(1, image);
    // Row 5, column 7, the third plane, the second image.
    assertEquals((5 + 2 * 7 + 60 * 2 + 1) / 255f, image[2 * 1024 + 5 * 32 + 7], 1e-7);
  }

  private int run(String program) throws Exception {
    return new ProcessBuilder("python3", "-c", program)
        .directory(folder.toFile())
        .inheritIO()
        .start()
        .waitFor();
  }
}
