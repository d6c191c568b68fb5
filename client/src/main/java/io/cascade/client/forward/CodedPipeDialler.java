package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.client.transfer.coded.SessionDial;
import io.cascade.segments.SharedKey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Dials the far junction directly over a coded session that all streams share, once TCP has seen
 * that the path loses packets. The session's key is derived from the junctions' shared key. Where
 * UDP is blocked there is no session, and TCP carries the streams alone.
 */
public final class CodedPipeDialler implements PipeDialler {
  private static final String JOINS =
      "the direct path loses packets: a coded session is used beside TCP";
  private static final String SILENT =
      "no coded session can be established on the direct path: only TCP is used";

  private final DirectPipeDialler beside;
  private final SharedKey key;
  private final Consumer<String> notes;
  private final SessionDial sessions = new SessionDial(new PathMemory());
  private String told = "";

  /**
   * @param beside the dialler of the same path over TCP
   * @param notes is told when coded pipes begin to carry, and when they cannot
   */
  public CodedPipeDialler(DirectPipeDialler beside, SharedKey key, Consumer<String> notes) {
    this.beside = beside;
    this.key = key;
    this.notes = notes;
  }

  @Override
  public String name() {
    return "direct, coded";
  }

  @Override
  public boolean isSpare() {
    return true;
  }

  @Override
  public BlockingConnection connect() throws IOException {
    InetSocketAddress at = beside.lossyPathTo();
    if (at == null) {
      throw new Unavailable("no packets are lost");
    }
    BlockingConnection stands;
    try {
      stands = sessions.connect(new CodedPeer(at, CodedKey.of(key), CodedKey.name(key), true));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } catch (IOException e) {
      tell(SILENT);
      throw new Unavailable(SILENT);
    }
    tell(JOINS);
    int _ = stands.write(ByteBuffer.allocate(CodedArrivals.OPENING_BYTES));
    return stands;
  }

  private void tell(String line) {
    synchronized (this) {
      if (line.equals(told)) {
        return;
      }
      told = line;
    }
    notes.accept(line);
  }

  /** Closes the session and its pipes. */
  @Override
  public void ended() {
    sessions.close();
  }
}
