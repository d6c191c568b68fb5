package io.cascade.relay.stream;

import io.netty.channel.Channel;

/**
 * The answer that a stream's inlet receives before the stream's first byte, if its protocol has
 * one. It tells a proxy's client, or the first relay of a chain on its behalf, whether the onward
 * connection is open. Exactly one of the two methods is called, once, on the stream's event loop.
 */
public interface InletAnswer {
  /** Sends nothing. */
  InletAnswer NONE =
      new InletAnswer() {
        @Override
        public void opened(Channel inlet) {}

        @Override
        public void failed(Channel inlet, CloseReason why) {
          inlet.close();
        }
      };

  /**
   * The onward connection is open. Bytes written to {@code inlet} precede the stream's first byte.
   */
  void opened(Channel inlet);

  /** The stream ended before the onward connection was open. Must close {@code inlet}. */
  void failed(Channel inlet, CloseReason why);
}
