package io.github.amb.core.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.util.function.Consumer;

/** Goes past what cannot be read, with a warning, and past what another process removes. */
public class FolderVisitor extends SimpleFileVisitor<Path> {
  private final Consumer<String> warnings;

  /**
   * @param warnings receives a line for people
   */
  public FolderVisitor(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  @Override
  public FileVisitResult visitFileFailed(Path path, IOException failure) {
    if (!(failure instanceof NoSuchFileException)) {
      warnings.accept(Printable.printable(FileFailure.text(failure)));
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path path, IOException failure) {
    return failure == null ? FileVisitResult.CONTINUE : visitFileFailed(path, failure);
  }
}
