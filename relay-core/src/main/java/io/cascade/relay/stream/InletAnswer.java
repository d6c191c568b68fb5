package io.cascade.relay.stream;

import io.netty.channel.Channel;

/**
 * The answer that a stream's inlet gets before the stream's first byte, where its protocol has one:
 * a proxy's client, or the first relay of a chain on behalf of one, is told whether there is an
 * onward connection. One of the two methods is called, once, on the stream's event loop.
 */
public interface InletAnswer {
  /** Tells nothing. */
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
   * The onward connection stands. What is written to {@code inlet} goes before the stream's first
   * byte.
   */
  void opened(Channel inlet);

  /** The stream ended before the onward connection stood. This has to close {@code inlet}. */
  void failed(Channel inlet, CloseReason why);
}
