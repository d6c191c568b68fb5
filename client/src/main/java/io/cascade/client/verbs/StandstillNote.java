package io.cascade.client.verbs;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.TransferHeader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a sender's user why no bytes move although nothing is wrong; passes on all else. */
final class StandstillNote implements TransferListener {
  private final TransferListener next;
  private final Consumer<String> note;
  private int toldPlace;
  private boolean toldDigest;

  StandstillNote(TransferListener next, Consumer<String> note) {
    this.next = next;
    this.note = note;
  }

  @Override
  public void waits(int place) {
    if (place != toldPlace) {
      toldPlace = place;
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
    if (what == Bottleneck.DIGEST && !toldDigest) {
      toldDigest = true;
      note.accept("every byte has arrived; both ends read the whole file for its digest");
    }
    next.slowedBy(what);
  }

  @Override
  public void ended() {
    next.ended();
  }
}
