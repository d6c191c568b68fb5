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
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 CONNECT (RFC 9110 section 9.3.6), with Basic authentication (RFC 7617) if credentials
 * are required. Other methods are refused: this is neither a cache nor a gateway.
 */
final class ConnectHandshake extends Handshake {
  static final int MOST_LINE_CHARACTERS = 1_024;
  static final int MOST_HEADER_CHARACTERS = 8_192;

  private @Nullable HttpRequest request;

  ConnectHandshake(ProxyAdmission admission) {
    super(admission);
  }

  @Override
  ChannelHandler firstDecoder() {
    return new HttpRequestDecoder(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(MOST_LINE_CHARACTERS)
            .setMaxHeaderSize(MOST_HEADER_CHARACTERS));
  }

  @Override
  void received(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof HttpRequest head) {
        HttpResponseStatus fault = fault(head);
        if (fault != null) {
          refuse(outcome(fault), response(fault, fault.reasonPhrase()));
          return;
        }
        request = head;
      }
      HttpRequest head = request;
      if (message instanceof LastHttpContent && head != null) {
        decodeNoMore(context); // the following bytes are no HTTP
        authenticate(context, head);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private static @Nullable HttpResponseStatus fault(HttpRequest head) {
    if (head.decoderResult().isFailure()) {
      Throwable cause = head.decoderResult().cause();
      if (cause instanceof TooLongHttpLineException) {
        return HttpResponseStatus.REQUEST_URI_TOO_LONG;
      }
      return cause instanceof TooLongHttpHeaderException
          ? HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
          : HttpResponseStatus.BAD_REQUEST;
    }
    if (!head.method().equals(HttpMethod.CONNECT)) {
      return HttpResponseStatus.METHOD_NOT_ALLOWED;
    }
    HttpHeaders headers = head.headers();
    // RFC 9110, section 9.3.6: no content. Some clients send a length of 0 for that.
    boolean body =
        headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
            || headers.getAll(HttpHeaderNames.CONTENT_LENGTH).stream()
                .anyMatch(length -> !length.strip().equals("0"));
    int hosts = headers.getAll(HttpHeaderNames.HOST).size();
    // RFC 9112, section 3.2.
    boolean lacksHost = hosts == 0 && head.protocolVersion().equals(HttpVersion.HTTP_1_1);
    return body || lacksHost || hosts > 1 ? HttpResponseStatus.BAD_REQUEST : null;
  }

  private static HandshakeOutcome outcome(HttpResponseStatus fault) {
    return fault.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)
        ? HandshakeOutcome.UNSUPPORTED
        : HandshakeOutcome.MALFORMED;
  }

  private void authenticate(ChannelHandlerContext context, HttpRequest head) {
    Credentials credentials = admission().credentials();
    if (credentials == null) {
      asked(context, head);
      return;
    }
    Login login = Login.of(head.headers().get(HttpHeaderNames.PROXY_AUTHORIZATION));
    if (login == null) {
      unauthenticated();
      return;
    }
    verify(
        context,
        credentials,
        login.user(),
        login.password(),
        right -> {
          if (right) {
            asked(context, head);
          } else {
            unauthenticated();
          }
        });
  }

  private void unauthenticated() {
    refuse(
        HandshakeOutcome.UNAUTHENTICATED,
        response(
            HttpResponseStatus.PROXY_AUTHENTICATION_REQUIRED,
            "this proxy requires user and password"));
  }

  private void asked(ChannelHandlerContext context, HttpRequest head) {
    HostPort destination = DestinationParser.parse(head.uri());
    if (destination == null) {
      refuse(
          HandshakeOutcome.MALFORMED,
          response(HttpResponseStatus.BAD_REQUEST, "CONNECT requires HOST:PORT"));
      return;
    }
    Look look = admission().look(destination);
    if (look == Look.REFUSED) {
      refuse(
          HandshakeOutcome.DESTINATION_REFUSED,
          destination,
          response(HttpResponseStatus.FORBIDDEN, "this proxy does not connect to " + destination));
      return;
    }
    leave(context, destination, look, new Reply());
  }

  /** A complete response, after which the connection is closed. */
  private static ByteBuf response(HttpResponseStatus status, String words) {
    String body = words + "\n";
    String more =
        switch (status.code()) {
          case 405 -> "Allow: CONNECT\r\n";
          case 407 -> "Proxy-Authenticate: Basic realm=\"cascade\", charset=\"UTF-8\"\r\n";
          default -> "";
        };
    return bytes(
        "HTTP/1.1 %d %s\r\n%sContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            .formatted(status.code(), status.reasonPhrase(), more, body.length(), body));
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  /** User and password of {@code Proxy-Authorization: Basic}. */
  private record Login(String user, String password) {
    private static final String BASIC = "basic ";

    static @Nullable Login of(@Nullable String header) {
      if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(BASIC)) {
        return null;
      }
      try {
        byte[] decoded = Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
        String pair = new String(decoded, StandardCharsets.UTF_8);
        int colon = pair.indexOf(':');
        return colon < 0 ? null : new Login(pair.substring(0, colon), pair.substring(colon + 1));
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
  }

  /** The response to CONNECT once its outcome is known. */
  private static final class Reply implements InletAnswer {
    @Override
    public void opened(Channel inlet) {
      inlet.writeAndFlush(bytes("HTTP/1.1 200 Connection established\r\n\r\n"));
    }

    @Override
    public void failed(Channel inlet, CloseReason why) {
      FailureReply failure = FailureReply.of(why);
      LingeringClose.send(inlet, response(failure.http(), failure.words()));
    }
  }
}
