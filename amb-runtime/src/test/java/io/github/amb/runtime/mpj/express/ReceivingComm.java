package io.github.amb.runtime.mpj.express;

import mpjbuf.Buffer;
import mpjdev.Comm;
import mpjdev.Group;
import mpjdev.Request;
import mpjdev.Status;

/** A communicator of MPJ Express of which nothing works but to receive. */
final class ReceivingComm extends Comm {
  private final Posting posting;

  /** What a receive does. */
  interface Posting {
    Request post(Buffer buffer);
  }

  ReceivingComm(Posting posting) {
    this.posting = posting;
  }

  @Override
  public Request irecv(Buffer buffer, int from, int tag, Status status, boolean packed) {
    return posting.post(buffer);
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException();
  }

  @Override
  public Comm create(int[] ranks) {
    throw unused();
  }

  @Override
  public Comm create(Group group) {
    throw unused();
  }

  @Override
  public Comm create(Comm comm, Group group, int first, int second, int third) {
    throw unused();
  }

  @Override
  public Comm clone() {
    throw unused();
  }

  @Override
  public Status probe(int from, int tag) {
    throw unused();
  }

  @Override
  public Status iprobe(int from, int tag) {
    throw unused();
  }

  @Override
  public Status recv(Buffer buffer, int from, int tag, boolean packed) {
    throw unused();
  }

  @Override
  public void barrier() {
    throw unused();
  }

  @Override
  public Request isend(Buffer buffer, int to, int tag, boolean packed) {
    throw unused();
  }

  @Override
  public void send(Buffer buffer, int to, int tag, boolean packed) {
    throw unused();
  }

  @Override
  public Request issend(Buffer buffer, int to, int tag, boolean packed) {
    throw unused();
  }

  @Override
  public void ssend(Buffer buffer, int to, int tag, boolean packed) {
    throw unused();
  }

  @Override
  public Comm split(int color, int key) {
    throw unused();
  }
}
