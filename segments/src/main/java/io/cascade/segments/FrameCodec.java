package io.cascade.segments;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Frames on the wire. Every frame begins with its type in one octet and the length of its body in
 * three; integers are big-endian.
 */
public final class FrameCodec {
  /** Most octets of data in one frame. */
  public static final int MOST_DATA = 1 << 16;

  /** Most octets of a frame, its header included. */
  public static final int MOST_FRAME = 4 + Long.BYTES + MOST_DATA;

  static final int HEADER = 4;
  private static final int DATA_HEAD = HEADER + Long.BYTES;
  static final int MOST_DETAIL = 256;

  private static final int MAGIC = 0x43534547; // "CSEG"

  private static final int CHALLENGE = 1;
  private static final int INTRODUCTION = 2;
  private static final int ACCEPTANCE = 3;
  private static final int REFUSAL = 4;
  private static final int DATA = 5;
  private static final int ACKNOWLEDGEMENT = 6;
  private static final int PROBE = 7;
  private static final int ECHO = 8;
  private static final int END = 9;
  private static final int RESET = 10;
  private static final int PIPE_START = 11;
  private static final int WITHDRAWAL = 12;

  private static final int JOIN = 1;
  private static final int AWAITED = 2;

  private FrameCodec() {}

  /** Encodes a frame, except for the data of a data frame, which must follow. */
  public static ByteBuffer head(Frame frame) {
    return switch (frame) {
      case Frame.Challenge(int version, Octets16 nonce) -> {
        ByteBuffer out = begin(CHALLENGE, 8 + Octets16.BYTES).putInt(MAGIC).putInt(version);
        nonce.write(out);
        yield out.flip();
      }
      case Frame.Introduction f -> {
        ByteBuffer out = begin(INTRODUCTION, 16 + 2 * Octets16.BYTES);
        out.putInt(MAGIC).putInt(f.version()).putInt(f.join() ? 1 : 0).putInt(f.pipe());
        f.stream().write(out);
        f.authenticator().write(out);
        yield out.flip();
      }
      case Frame.Acceptance(Octets16 authenticator) -> {
        ByteBuffer out = begin(ACCEPTANCE, Octets16.BYTES);
        authenticator.write(out);
        yield out.flip();
      }
      case Frame.Refusal(Reason reason, String detail) -> words(REFUSAL, reason, detail);
      case Frame.Data(long offset, ByteBuffer bytes) ->
          header(ByteBuffer.allocate(DATA_HEAD), DATA, Long.BYTES + bytes.remaining())
              .putLong(offset)
              .flip();
      case Frame.Acknowledgement f ->
          begin(ACKNOWLEDGEMENT, 3 * Long.BYTES)
              .putLong(f.received())
              .putLong(f.limit())
              .putLong(f.onThisPipe())
              .flip();
      case Frame.Probe(long number) -> begin(PROBE, Long.BYTES).putLong(number).flip();
      case Frame.Echo(long number) -> begin(ECHO, Long.BYTES).putLong(number).flip();
      case Frame.Withdrawal() -> begin(WITHDRAWAL, 0).flip();
      case Frame.End(long offset, Reason reason) ->
          begin(END, Long.BYTES + Short.BYTES)
              .putLong(offset)
              .putShort((short) reason.code())
              .flip();
      case Frame.Reset(Reason reason, String detail) -> words(RESET, reason, detail);
      case Frame.PipeStart f ->
          begin(PIPE_START, 16)
              .putInt(MAGIC)
              .putInt(f.version())
              .putInt((f.join() ? JOIN : 0) | (f.awaited() ? AWAITED : 0))
              .putInt(f.pipe())
              .flip();
    };
  }

  /** Octets that a frame occupies on the wire; for frames other than data frames an upper bound. */
  public static int octets(Frame frame) {
    return frame instanceof Frame.Data data
        ? DATA_HEAD + data.bytes().remaining()
        : HEADER + Short.BYTES + MOST_DETAIL;
  }

  private static ByteBuffer words(int type, Reason reason, String detail) {
    byte[] text = detail.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, MOST_DETAIL);
    return begin(type, Short.BYTES + length)
        .putShort((short) reason.code())
        .put(text, 0, length)
        .flip();
  }

  private static ByteBuffer begin(int type, int body) {
    return header(ByteBuffer.allocate(HEADER + body), type, body);
  }

  private static ByteBuffer header(ByteBuffer out, int type, int body) {
    return out.putInt(type << 24 | body);
  }

  /**
   * The length of the frame that begins here, including its header.
   *
   * @param in not consumed
   * @return 0 if the header is incomplete
   * @throws ProtocolViolation if it is no frame of this protocol
   */
  static int length(ByteBuffer in) throws ProtocolViolation {
    if (in.remaining() < HEADER) {
      return 0;
    }
    int head = in.getInt(in.position());
    checkLength(head >>> 24, head & 0xFFFFFF);
    return HEADER + (head & 0xFFFFFF);
  }

  /** Whether a data frame begins here. */
  static boolean beginsData(ByteBuffer in) {
    return in.get(in.position()) == DATA;
  }

  /**
   * Number of octets of the frame that begins here that are needed before any of it can be used:
   * all except the data of a data frame, or its header if that is incomplete.
   *
   * @param in not consumed
   * @throws ProtocolViolation if it is no frame of this protocol
   */
  static int wholeOctets(ByteBuffer in) throws ProtocolViolation {
    int length = length(in);
    return length == 0 ? HEADER : beginsData(in) ? DATA_HEAD : length;
  }

  /**
   * Consumes the header of a data frame, which must be complete.
   *
   * @return the offset of its first octet
   */
  static long takeDataHead(ByteBuffer in) throws ProtocolViolation {
    in.position(in.position() + HEADER);
    return dataOffset(in);
  }

  /**
   * Consumes the next frame of the received octets.
   *
   * @param in received octets, of which the frame's are consumed. The bytes of a data frame share
   *     its memory
   * @return null if the frame is incomplete; then nothing is consumed
   * @throws ProtocolViolation if it is no frame of this protocol
   */
  public static @Nullable Frame parse(ByteBuffer in) throws ProtocolViolation {
    int length = length(in);
    if (length == 0 || in.remaining() < length) {
      return null;
    }
    int type = Byte.toUnsignedInt(in.get(in.position()));
    Frame frame = body(type, in.slice(in.position() + HEADER, length - HEADER));
    in.position(in.position() + length);
    return frame;
  }

  /**
   * Refuses an excessive length as soon as the header has arrived, without waiting for the body.
   */
  private static void checkLength(int type, int length) throws ProtocolViolation {
    int least =
        switch (type) {
          case CHALLENGE -> 8 + Octets16.BYTES;
          case INTRODUCTION -> 16 + 2 * Octets16.BYTES;
          case ACCEPTANCE -> Octets16.BYTES;
          case REFUSAL, RESET -> Short.BYTES;
          case DATA -> Long.BYTES + 1;
          case ACKNOWLEDGEMENT -> 3 * Long.BYTES;
          case PROBE, ECHO -> Long.BYTES;
          case PIPE_START -> 16;
          case WITHDRAWAL -> 0;
          case END -> Long.BYTES + Short.BYTES;
          default -> throw malformed("type " + type);
        };
    int most =
        switch (type) {
          case REFUSAL, RESET -> Short.BYTES + MOST_DETAIL;
          case DATA -> Long.BYTES + MOST_DATA;
          default -> least;
        };
    if (length < least || length > most) {
      throw malformed("type %d of %d octets".formatted(type, length));
    }
  }

  private static Frame body(int type, ByteBuffer body) throws ProtocolViolation {
    return switch (type) {
      case CHALLENGE -> {
        magic(body);
        yield new Frame.Challenge(body.getInt(), Octets16.read(body));
      }
      case INTRODUCTION -> {
        magic(body);
        int version = body.getInt();
        boolean join = flag(body.getInt());
        int pipe = body.getInt();
        yield new Frame.Introduction(version, join, Octets16.read(body), pipe, Octets16.read(body));
      }
      case ACCEPTANCE -> new Frame.Acceptance(Octets16.read(body));
      case REFUSAL -> new Frame.Refusal(reason(body), detail(body));
      case DATA -> {
        long offset = dataOffset(body);
        yield new Frame.Data(offset, body.slice());
      }
      case ACKNOWLEDGEMENT -> new Frame.Acknowledgement(offset(body), offset(body), offset(body));
      case PROBE -> new Frame.Probe(body.getLong());
      case ECHO -> new Frame.Echo(body.getLong());
      case WITHDRAWAL -> new Frame.Withdrawal();
      case END -> {
        long offset = dataOffset(body);
        yield new Frame.End(offset, reason(body));
      }
      case RESET -> new Frame.Reset(reason(body), detail(body));
      case PIPE_START -> {
        magic(body);
        int version = body.getInt();
        int flags = body.getInt();
        if ((flags & ~(JOIN | AWAITED)) != 0) {
          throw malformed("flags " + flags);
        }
        int pipe = body.getInt();
        yield new Frame.PipeStart(version, (flags & JOIN) != 0, (flags & AWAITED) != 0, pipe);
      }
      default -> throw malformed("type " + type);
    };
  }

  private static void magic(ByteBuffer body) throws ProtocolViolation {
    int magic = body.getInt();
    if (magic != MAGIC) {
      throw malformed("the peer speaks another protocol");
    }
  }

  private static boolean flag(int value) throws ProtocolViolation {
    if (value != 0 && value != 1) {
      throw malformed("flag " + value);
    }
    return value == 1;
  }

  private static long offset(ByteBuffer body) throws ProtocolViolation {
    long offset = body.getLong();
    if (offset < 0) {
      throw malformed("offset " + Long.toUnsignedString(offset));
    }
    return offset;
  }

  /** Reads an offset that leaves room for the most octets of a frame. */
  private static long dataOffset(ByteBuffer body) throws ProtocolViolation {
    long offset = offset(body);
    if (offset > Long.MAX_VALUE - 2L * MOST_DATA) {
      throw malformed("offset " + offset);
    }
    return offset;
  }

  private static Reason reason(ByteBuffer body) throws ProtocolViolation {
    int code = Short.toUnsignedInt(body.getShort());
    return Reason.of(code).orElseThrow(() -> malformed("reason " + code));
  }

  private static String detail(ByteBuffer body) {
    return StandardCharsets.UTF_8.decode(body).toString();
  }

  private static ProtocolViolation malformed(String detail) {
    return new ProtocolViolation(Reason.MALFORMED, detail);
  }
}
