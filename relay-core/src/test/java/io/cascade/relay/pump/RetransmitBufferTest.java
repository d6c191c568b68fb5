package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sink has not confirmed, by offset. */
class RetransmitBufferTest {
  private final RetransmitBuffer buffer = new RetransmitBuffer();
  private final List<Integer> forgotten = new ArrayList<>();

  @Test
  void chunksAreConfirmedByOffsetInTheirOrder() {
    Chunk first = add(100);
    Chunk second = add(50);
    Chunk third = add(7);
    assertThat(buffer.end()).isEqualTo(157);

    confirm(100);
    assertThat(forgotten).containsExactly(100);
    assertThat(first.bytes.refCnt()).isZero();
    assertThat(buffer.start()).isEqualTo(100);
    assertThat(buffer.first()).isSameAs(second);

    confirm(157);
    assertThat(forgotten).containsExactly(100, 50, 7);
    assertThat(third.bytes.refCnt()).isZero();
    assertThat(buffer.isEmpty()).isTrue();
  }

  @Test
  void aChunkThatIsConfirmedInPartStaysWhole() {
    add(100);
    Chunk second = add(50);

    confirm(149);

    assertThat(buffer.first()).isSameAs(second);
    assertThat(buffer.start()).isEqualTo(100);
    confirm(150);
    assertThat(buffer.isEmpty()).isTrue();
  }

  @Test
  void whatWasConfirmedBeforeChangesNothing() {
    add(100);
    confirm(100);
    add(50);

    confirm(100);
    confirm(20);

    assertThat(buffer.start()).isEqualTo(100);
    assertThat(buffer.end()).isEqualTo(150);
    confirm(150);
  }

  @Test
  void bytesThatNeverCameCannotBeConfirmed() {
    add(100);
    assertThatIllegalArgumentException().isThrownBy(() -> confirm(101));
    confirm(100);
  }

  @Test
  void whatIsTakenOutIsTheTakers() {
    Chunk first = add(100);
    Chunk second = add(50);

    assertThat(buffer.poll()).isSameAs(first);
    assertThat(first.bytes.refCnt()).isOne();
    assertThat(first.next).isNull();
    assertThat(buffer.start()).isEqualTo(100);
    assertThat(buffer.poll()).isSameAs(second);
    assertThat(buffer.poll()).isNull();
    assertThat(forgotten).isEmpty();
    first.bytes.release();
    second.bytes.release();
  }

  private Chunk add(int length) {
    ByteBuf bytes = Unpooled.buffer(length).writeZero(length);
    Chunk chunk = new Chunk((_, _, _) -> {}, bytes, length);
    buffer.add(chunk);
    return chunk;
  }

  private void confirm(long offset) {
    buffer.confirm(offset, chunk -> forgotten.add(chunk.length));
  }
}
