package io.cascade.client.verbs;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.TransferHeader;
import io.cascade.client.transfer.TransferListener;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a sender's user that the receiver has other transfers first; passes on all else. */
final class WaitingNote implements TransferListener {
  private final TransferListener next;
  private final Consumer<String> note;
  private int told;

  WaitingNote(TransferListener next, Consumer<String> note) {
    this.next = next;
    this.note = note;
  }

  @Override
  public void waits(int place) {
    if (place != told) {
      told = place;
      note.accept("the receiver is busy with others: place " + place + " in its queue");
    }
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
  public void slowedBy(@Nullable Bottleneck what) {
    next.slowedBy(what);
  }

  @Override
  public void ended() {
    next.ended();
  }
}
