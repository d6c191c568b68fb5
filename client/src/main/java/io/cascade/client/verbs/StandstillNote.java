package io.cascade.client.verbs;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.ForwardingListener;
import io.cascade.client.transfer.TransferListener;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a sender's user why no bytes are moved although nothing has failed; passes all other calls
 * on.
 */
final class StandstillNote extends ForwardingListener {
  private final Consumer<String> note;
  private int toldPlace;
  private boolean toldDigest;

  StandstillNote(TransferListener next, Consumer<String> note) {
    super(next);
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
  public void slowedBy(@Nullable Bottleneck what) {
    if (what == Bottleneck.DIGEST && !toldDigest) {
      toldDigest = true;
      note.accept("every byte has arrived; both ends read the whole file for its digest");
    }
    super.slowedBy(what);
  }
}
