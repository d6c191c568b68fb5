package io.cascade.client.transfer;

import io.cascade.client.transfer.wire.TransferHeader;
import org.jspecify.annotations.Nullable;

/** A listener that passes all calls on to another one; subclasses override some. */
public abstract class ForwardingListener implements TransferListener {
  private final TransferListener next;

  /**
   * @param next receives all calls
   */
  protected ForwardingListener(TransferListener next) {
    this.next = next;
  }

  @Override
  public void started(TransferHeader header) {
    next.started(header);
  }

  @Override
  public void moved(long bytes) {
    next.moved(bytes);
  }

  @Override
  public void waits(int place) {
    next.waits(place);
  }

  @Override
  public void joined(String way) {
    next.joined(way);
  }

  @Override
  public void left(String way, String why) {
    next.left(way, why);
  }

  @Override
  public void retries(String why) {
    next.retries(why);
  }

  @Override
  public void slowedBy(@Nullable Bottleneck what) {
    next.slowedBy(what);
  }

  @Override
  public void ended() {
    next.ended();
  }
}
