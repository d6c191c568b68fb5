package io.cascade.relay.proxy;

import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.socksx.v5.Socks5CommandStatus;

/**
 * The reply to a client whose stream failed, for both protocols.
 *
 * @param words one line for people
 */
record FailureReply(Socks5CommandStatus socks, HttpResponseStatus http, String words) {

  static FailureReply of(CloseReason why) {
    return switch (why) {
      case ConnectFailed failed -> of(failed.kind());
      case CloseReason.DestinationFailed failed -> of(failed.kind());
      case CloseReason.Shed shed ->
          new FailureReply(
              Socks5CommandStatus.FAILURE, HttpResponseStatus.SERVICE_UNAVAILABLE, shed.detail());
      case CloseReason.Completed _,
          CloseReason.ConnectionLost _,
          CloseReason.TlsBroken _,
          CloseReason.TlsKeyUsedUp _,
          CloseReason.PeerSilent _,
          CloseReason.NotConfirmed _,
          CloseReason.IdleTimeout _,
          CloseReason.HalfCloseTimeout _,
          CloseReason.Aborted _,
          CloseReason.StorageFailed _ ->
          new FailureReply(
              Socks5CommandStatus.FAILURE,
              HttpResponseStatus.BAD_GATEWAY,
              "the onward connection broke");
    };
  }

  private static FailureReply of(ConnectFailed.Kind kind) {
    return switch (kind) {
      case REFUSED ->
          bad(Socks5CommandStatus.CONNECTION_REFUSED, "the destination refused the connection");
      case HOST_UNREACHABLE ->
          bad(Socks5CommandStatus.HOST_UNREACHABLE, "the destination cannot be reached");
      case UNRESOLVABLE ->
          bad(Socks5CommandStatus.HOST_UNREACHABLE, "the destination's name has no address");
      case NETWORK_UNREACHABLE ->
          bad(Socks5CommandStatus.NETWORK_UNREACHABLE, "the destination's network is unreachable");
      case TIMED_OUT ->
          new FailureReply(
              Socks5CommandStatus.HOST_UNREACHABLE,
              HttpResponseStatus.GATEWAY_TIMEOUT,
              "the destination did not answer in time");
      case NOT_ALLOWED ->
          new FailureReply(
              Socks5CommandStatus.FORBIDDEN,
              HttpResponseStatus.FORBIDDEN,
              "this relay may not connect to the destination's address");
      case FAILED -> bad(Socks5CommandStatus.FAILURE, "the destination cannot be connected to");
    };
  }

  private static FailureReply bad(Socks5CommandStatus socks, String words) {
    return new FailureReply(socks, HttpResponseStatus.BAD_GATEWAY, words);
  }
}
