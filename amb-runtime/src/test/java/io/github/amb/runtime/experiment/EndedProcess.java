package io.github.amb.runtime.experiment;

import java.io.InputStream;
import java.io.OutputStream;

/** A process that has ended, without output. */
final class EndedProcess extends Process {
  private final int code;

  EndedProcess(int code) {
    this.code = code;
  }

  @Override
  public int exitValue() {
    return code;
  }

  @Override
  public int waitFor() {
    return code;
  }

  @Override
  public void destroy() {}

  @Override
  public OutputStream getOutputStream() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return InputStream.nullInputStream();
  }
}
