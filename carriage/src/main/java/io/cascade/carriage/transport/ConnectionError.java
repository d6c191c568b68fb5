package io.cascade.carriage.transport;

import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.unix.Errors.NativeIoException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.util.regex.Pattern;

/** Reasons for which a connection failed, or could not be opened. */
public enum ConnectionError {
  /** Nothing listens at the address. */
  REFUSED,
  /** The peer has not answered for too long. */
  TIMED_OUT,
  HOST_UNREACHABLE,
  NETWORK_UNREACHABLE,
  /** The peer has reset the connection, or it was closed without an end in another way. */
  BROKEN,
  /** The connection's protection found that bytes were altered or the input was truncated. */
  NOT_GENUINE,
  /** The key that protects the connection has reached its usage limit. */
  KEY_USED_UP,
  OTHER;

  /** Netty puts the system call and its error number before the system's text. */
  private static final Pattern CALL =
      Pattern.compile("^\\w+\\([^)]*\\) failed(?: with error\\(-?\\d+\\))?: ");

  // Of Linux, asm-generic/errno.h.
  private static final int EPIPE = 32;
  private static final int ENETUNREACH = 101;
  private static final int ECONNRESET = 104;
  private static final int ETIMEDOUT = 110;
  private static final int ECONNREFUSED = 111;
  private static final int EHOSTUNREACH = 113;

  /**
   * Names an exception by its type or its error number.
   *
   * <p>The JDK does not expose error numbers. With NIO an unreachable network is {@link #OTHER},
   * and a connection that the kernel timed out is {@link #BROKEN}.
   */
  public static ConnectionError of(Throwable failure) {
    return switch (failure) {
      case ConnectionFailure known -> known.error();
      case NativeIoException told -> of(-told.expectedErr());
      case ConnectTimeoutException _ -> TIMED_OUT;
      case NoRouteToHostException _ -> HOST_UNREACHABLE;
      case ConnectException _ -> REFUSED;
      default -> OTHER;
    };
  }

  /**
   * Describes a failure for people, without the names of system calls and exceptions. This
   * program's own messages stay as they are.
   */
  public static String words(Throwable failure) {
    String message = failure.getMessage();
    if (failure instanceof ConnectionFailure && message != null) {
      return message;
    }
    return switch (of(failure)) {
      case REFUSED -> "connection refused";
      case TIMED_OUT -> "no answer in time";
      case HOST_UNREACHABLE -> "no route to the host";
      case NETWORK_UNREACHABLE -> "no route to the network";
      case BROKEN -> "reset by the peer";
      case NOT_GENUINE, KEY_USED_UP, OTHER ->
          message == null ? "the connection was closed" : CALL.matcher(message).replaceFirst("");
    };
  }

  /**
   * Names an error of the kernel.
   *
   * @param errno positive
   */
  public static ConnectionError of(int errno) {
    return switch (errno) {
      case ECONNREFUSED -> REFUSED;
      case ETIMEDOUT -> TIMED_OUT;
      case EHOSTUNREACH -> HOST_UNREACHABLE;
      case ENETUNREACH -> NETWORK_UNREACHABLE;
      case ECONNRESET, EPIPE -> BROKEN;
      default -> OTHER;
    };
  }
}
