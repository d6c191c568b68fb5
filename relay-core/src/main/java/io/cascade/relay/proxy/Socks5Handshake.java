package io.cascade.relay.proxy;

import io.cascade.api.HostPort;
import io.cascade.carriage.socket.LingeringClose;
import io.cascade.relay.destination.DestinationRules.Look;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.InletAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.socksx.SocksVersion;
import io.netty.handler.codec.socksx.v5.DefaultSocks5CommandResponse;
import io.netty.handler.codec.socksx.v5.DefaultSocks5InitialResponse;
import io.netty.handler.codec.socksx.v5.DefaultSocks5PasswordAuthResponse;
import io.netty.handler.codec.socksx.v5.Socks5AddressType;
import io.netty.handler.codec.socksx.v5.Socks5AuthMethod;
import io.netty.handler.codec.socksx.v5.Socks5CommandRequest;
import io.netty.handler.codec.socksx.v5.Socks5CommandRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5CommandStatus;
import io.netty.handler.codec.socksx.v5.Socks5CommandType;
import io.netty.handler.codec.socksx.v5.Socks5InitialRequest;
import io.netty.handler.codec.socksx.v5.Socks5InitialRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5Message;
import io.netty.handler.codec.socksx.v5.Socks5PasswordAuthRequest;
import io.netty.handler.codec.socksx.v5.Socks5PasswordAuthRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5PasswordAuthStatus;
import io.netty.handler.codec.socksx.v5.Socks5ServerEncoder;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SOCKS5 (RFC 1928), with user and password (RFC 1929) if credentials are required. Supports
 * CONNECT only; the stream's last relay resolves names.
 */
final class Socks5Handshake extends Handshake {
  private @Nullable Socks5CommandRequest early;

  Socks5Handshake(ProxyAdmission admission) {
    super(admission);
  }

  @Override
  ChannelHandler firstDecoder() {
    return new GreetingDecoder();
  }

  /** A greeting that cannot be served, but whose client understands a refusal. */
  private enum Hopeless {
    /** SOCKS4: "request rejected or failed". */
    SOCKS4("005b000000000000"),
    /** No acceptable method (RFC 1928, section 3). */
    NO_METHOD("05ff");

    private final String answer;

    Hopeless(String answer) {
      this.answer = answer;
    }

    ByteBuf answer() {
      return Unpooled.wrappedBuffer(HexFormat.of().parseHex(answer));
    }
  }

  /** Distinguishes greetings that can be answered from bytes that are no SOCKS. */
  private static final class GreetingDecoder extends Socks5InitialRequestDecoder {
    private boolean greeted;

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      Hopeless hopeless = greeted ? null : hopeless(in);
      if (hopeless == null) {
        super.decode(context, in, out);
      } else {
        in.skipBytes(actualReadableBytes());
        out.add(hopeless);
      }
      greeted = true; // only reached with a complete greeting
    }

    private static @Nullable Hopeless hopeless(ByteBuf in) {
      int at = in.readerIndex();
      byte version = in.getByte(at);
      if (version == SocksVersion.SOCKS4a.byteValue()) {
        return Hopeless.SOCKS4;
      }
      boolean isEmpty = version == SocksVersion.SOCKS5.byteValue() && in.getByte(at + 1) == 0;
      return isEmpty ? Hopeless.NO_METHOD : null;
    }
  }

  @Override
  void received(ChannelHandlerContext context, Object message) {
    switch (message) {
      case Hopeless greeting -> refuse(HandshakeOutcome.UNSUPPORTED, greeting.answer());
      case Socks5InitialRequest greeting -> greeted(context, greeting);
      case Socks5PasswordAuthRequest login -> login(context, login);
      case Socks5CommandRequest command when verifying() -> early = command; // pipelined
      case Socks5CommandRequest command -> asked(context, command);
      default -> refuse(HandshakeOutcome.MALFORMED, null);
    }
  }

  private void greeted(ChannelHandlerContext context, Socks5InitialRequest greeting) {
    if (broken(greeting)) {
      refuse(HandshakeOutcome.MALFORMED, null);
      return;
    }
    context.pipeline().addFirst(Socks5ServerEncoder.DEFAULT);
    Socks5AuthMethod wanted =
        admission().credentials() == null ? Socks5AuthMethod.NO_AUTH : Socks5AuthMethod.PASSWORD;
    if (!greeting.authMethods().contains(wanted)) {
      refuse(
          HandshakeOutcome.UNAUTHENTICATED,
          new DefaultSocks5InitialResponse(Socks5AuthMethod.UNACCEPTED));
      return;
    }
    context.writeAndFlush(new DefaultSocks5InitialResponse(wanted));
    decodeWith(
        context,
        wanted.equals(Socks5AuthMethod.PASSWORD)
            ? new Socks5PasswordAuthRequestDecoder()
            : new Socks5CommandRequestDecoder());
  }

  private void login(ChannelHandlerContext context, Socks5PasswordAuthRequest login) {
    Credentials credentials = admission().credentials();
    if (broken(login) || credentials == null) {
      refuse(HandshakeOutcome.MALFORMED, null);
      return;
    }
    verify(
        context,
        credentials,
        login.username(),
        login.password(),
        right -> {
          if (right) {
            context.writeAndFlush(
                new DefaultSocks5PasswordAuthResponse(Socks5PasswordAuthStatus.SUCCESS));
            Socks5CommandRequest command = early;
            if (command != null) {
              early = null;
              asked(context, command);
            }
          } else {
            refuse(
                HandshakeOutcome.UNAUTHENTICATED,
                new DefaultSocks5PasswordAuthResponse(Socks5PasswordAuthStatus.FAILURE));
          }
        });
    decodeWith(context, new Socks5CommandRequestDecoder());
  }

  private void asked(ChannelHandlerContext context, Socks5CommandRequest command) {
    if (broken(command)) {
      // The version was right in earlier messages, so it is the type of address.
      refuse(HandshakeOutcome.MALFORMED, reply(Socks5CommandStatus.ADDRESS_UNSUPPORTED));
      return;
    }
    if (!command.type().equals(Socks5CommandType.CONNECT)) {
      refuse(HandshakeOutcome.UNSUPPORTED, reply(Socks5CommandStatus.COMMAND_UNSUPPORTED));
      return;
    }
    HostPort destination = DestinationParser.of(command.dstAddr(), command.dstPort());
    if (destination == null) {
      refuse(HandshakeOutcome.MALFORMED, reply(Socks5CommandStatus.FAILURE));
      return;
    }
    Look look = admission().look(destination);
    if (look == Look.REFUSED) {
      refuse(
          HandshakeOutcome.DESTINATION_REFUSED, destination, reply(Socks5CommandStatus.FORBIDDEN));
      return;
    }
    leave(context, destination, look, new Reply());
  }

  private static boolean broken(Socks5Message message) {
    return message.decoderResult().isFailure();
  }

  private static DefaultSocks5CommandResponse reply(Socks5CommandStatus status) {
    return new DefaultSocks5CommandResponse(status, Socks5AddressType.IPv4, "0.0.0.0", 0);
  }

  /** The reply of RFC 1928, section 6, once its outcome is known. */
  private static final class Reply implements InletAnswer {
    @Override
    public void opened(Channel inlet) {
      inlet.writeAndFlush(reply(Socks5CommandStatus.SUCCESS));
      inlet.pipeline().remove(Socks5ServerEncoder.class);
    }

    @Override
    public void failed(Channel inlet, CloseReason why) {
      LingeringClose.send(inlet, reply(FailureReply.of(why).socks()));
    }
  }
}
