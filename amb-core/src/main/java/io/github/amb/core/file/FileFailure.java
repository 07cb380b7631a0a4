package io.github.amb.core.file;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/** Says in words what a failure of the file system means, which its message does not. */
public final class FileFailure {
  private FileFailure() {}

  /** The path and what is wrong with it; empty for other failures. */
  public static Optional<String> of(Throwable failure) {
    return failure instanceof FileSystemException problem
        ? Optional.of(problem.getFile() + ": " + words(problem))
        : Optional.empty();
  }

  /** The path and what is wrong with it; for other failures their own text, in one line. */
  public static String text(Throwable failure) {
    return of(failure).orElseGet(() -> said(failure));
  }

  /** What is wrong, without the path, for a message that has it. */
  public static String reason(Throwable failure) {
    return failure instanceof FileSystemException problem ? words(problem) : said(failure);
  }

  private static String said(Throwable failure) {
    if (failure instanceof CharacterCodingException) {
      return "expected text in UTF-8, found other bytes";
    }
    if (failure instanceof JsonProcessingException json && json.getLocation() != null) {
      JsonLocation at = json.getLocation();
      return "line %d, column %d: %s"
          .formatted(
              at.getLineNr(),
              at.getColumnNr(),
              json.getOriginalMessage().lines().findFirst().orElse(""));
    }
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }

  private static String words(FileSystemException problem) {
    if (problem instanceof NoSuchFileException) {
      return "expected a file or directory, found none; check the path";
    }
    if (problem instanceof AccessDeniedException) {
      return "permission denied; check owner and mode";
    }
    if (problem instanceof NotDirectoryException) {
      return "expected a directory, found a file";
    }
    if (problem instanceof FileAlreadyExistsException) {
      return "exists already; choose another name";
    }
    if (problem instanceof DirectoryNotEmptyException) {
      return "expected an empty directory, found files in it";
    }
    return problem.getReason() == null ? problem.toString() : problem.getReason();
  }
}
