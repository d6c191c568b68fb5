package io.cascade.lab;

import io.cascade.command.DataSize;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.links.Policer;
import io.cascade.links.QueueManagement;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A link's parameters as words and numbers, in topology files and on the command line. */
final class ShapeText {
  static final List<String> NAMES =
      List.of(
          "delay",
          "rtt",
          "rate",
          "queue",
          "loss",
          "jitter",
          "reorder",
          "reorder-delay",
          "mtu",
          "police",
          "pie",
          "ecn",
          "down");
  private static final Pattern DURATION = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*(us|ms|s|m)");
  private static final Pattern RATE =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmg]?)bit(?:/s)?");

  private static final Pattern PACKETS = Pattern.compile("([0-9]{1,6})\\s*packets");

  private ShapeText() {}

  /**
   * The shape with these parameters changed. The queue follows a change of delay or rate only if no
   * queue was ever named: {@link #from}.
   *
   * @throws IllegalArgumentException that begins with the parameter's name
   */
  static LinkShape apply(LinkShape shape, Map<String, String> values) {
    for (String name : new TreeSet<>(values.keySet())) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            name + ": no such parameter (expected: " + String.join(", ", NAMES) + ")");
      }
    }
    if (values.containsKey("delay") && values.containsKey("rtt")) {
      throw new IllegalArgumentException("rtt: delay is given too (expected: one of them)");
    }
    LinkShape changed = shape;
    // Jitter must not exceed the delay, nor the queue be below the MTU: delay and MTU are applied
    // first.
    for (String name : NAMES) {
      String value = values.get(name);
      if (value != null) {
        changed = applyOne(changed, name, value, values.get("reorder-delay"));
      }
    }
    return changed;
  }

  /** A link's parameters where none was set before; the queue is a bandwidth-delay product. */
  static LinkShape from(Map<String, String> values) {
    LinkShape shape = apply(LinkShape.of(Duration.ZERO, LinkShape.UNLIMITED), values);
    return values.containsKey("queue")
        ? shape
        : shape.withQueueBytes(
            LinkShape.bandwidthDelayBytes(shape.delay().multipliedBy(2), shape.bitsPerSecond()));
  }

  private static LinkShape applyOne(
      LinkShape shape, String name, String value, @Nullable String reorderDelay) {
    try {
      return switch (name) {
        case "delay" -> shape.withDelay(duration(value));
        case "rtt" -> shape.withDelay(duration(value).dividedBy(2));
        case "rate" -> shape.withBitsPerSecond(rate(value));
        case "queue" -> withQueue(shape, value);
        case "loss" -> shape.withLoss(Loss.parse(value));
        case "jitter" -> shape.withJitter(duration(value));
        case "reorder" ->
            shape.withReordering(
                Loss.parse(value).meanProbability(),
                reorderDelay == null ? shape.reorderDelay() : duration(reorderDelay));
        case "reorder-delay" -> shape.withReordering(shape.reorderProbability(), duration(value));
        case "mtu" -> shape.withMtu(Integer.parseInt(value));
        case "police" -> shape.withPolicer(policer(value));
        case "pie" -> shape.withManagement(pie(value));
        case "ecn" -> shape.withManagement(ecn(shape.management(), flag(value)));
        case "down" -> shape.withDown(flag(value));
        default -> throw new IllegalArgumentException("no such parameter");
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": '" + value + "' (expected: a number)", e);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new IllegalArgumentException(
          message.startsWith(name + ":") ? message : name + ": " + message, e);
    }
  }

  /** A queue in bytes, such as {@code 256KiB}, or in packets, such as {@code 100packets}. */
  private static LinkShape withQueue(LinkShape shape, String value) {
    Matcher packets = PACKETS.matcher(value.strip().toLowerCase(Locale.ROOT));
    return packets.matches()
        ? shape.withQueuePackets(Math.max(1, Integer.parseInt(packets.group(1))))
        : shape.withQueueBytes(DataSize.parse(value).bytes());
  }

  /** A policer, such as {@code 10Mbit burst 64KiB}, or {@code off}. */
  private static Policer policer(String value) {
    String[] words = value.strip().split("\\s+burst\\s+", -1);
    if (value.strip().equals("off")) {
      return Policer.NONE;
    }
    if (words.length != 2) {
      throw new IllegalArgumentException(
          "'" + value + "' (expected: a rate and a burst such as 10Mbit burst 64KiB, or off)");
    }
    return new Policer(rate(words[0]), DataSize.parse(words[1]).bytes());
  }

  /**
   * PIE with a target, such as {@code 15ms}, with the default one by {@code on}, or {@code off}.
   */
  private static QueueManagement pie(String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "off", "false" -> QueueManagement.DROP_TAIL;
      case "on", "true" -> new QueueManagement.Pie(QueueManagement.PIE_TARGET, false);
      default -> new QueueManagement.Pie(duration(value), false);
    };
  }

  private static QueueManagement ecn(QueueManagement management, boolean on) {
    return switch (management) {
      case QueueManagement.Pie pie -> new QueueManagement.Pie(pie.target(), on);
      case QueueManagement.DropTail none when !on -> none;
      case QueueManagement.DropTail _ ->
          throw new IllegalArgumentException(
              "a queue that only drops at its end marks nothing (expected: pie as well)");
    };
  }

  /** A duration, such as {@code 20ms}, {@code 1.5 s}, {@code 100us}. */
  static Duration duration(String text) {
    Matcher form = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (text.strip().equals("0")) {
      return Duration.ZERO;
    }
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' (expected: a time such as 20ms)");
    }
    double nanos =
        switch (form.group(2)) {
          case "us" -> 1e3;
          case "ms" -> 1e6;
          case "s" -> 1e9;
          default -> 60e9;
        };
    return Duration.ofNanos(Math.round(Double.parseDouble(form.group(1)) * nanos));
  }

  /** A rate, such as {@code 32Mbit} or {@code unlimited}. */
  static long rate(String text) {
    String stripped = text.strip().toLowerCase(Locale.ROOT);
    if (stripped.equals("unlimited")) {
      return LinkShape.UNLIMITED;
    }
    Matcher form = RATE.matcher(stripped);
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' (expected: a rate such as 32Mbit)");
    }
    int power = form.group(2).isEmpty() ? 0 : "kmg".indexOf(form.group(2)) + 1;
    return Math.round(Double.parseDouble(form.group(1)) * Math.pow(1_000, power));
  }

  /** The words from which {@link #from} reads the same shape. */
  static Map<String, String> format(LinkShape shape) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("delay", format(shape.delay()));
    values.put(
        "rate",
        shape.bitsPerSecond() == LinkShape.UNLIMITED ? "unlimited" : shape.bitsPerSecond() + "bit");
    values.put(
        "queue",
        shape.queuePackets() > 0
            ? shape.queuePackets() + "packets"
            : Long.toString(shape.queueBytes()));
    values.put("loss", shape.loss().toString());
    if (!shape.jitter().isZero()) {
      values.put("jitter", format(shape.jitter()));
    }
    if (shape.reorderProbability() > 0) {
      values.put("reorder", Double.toString(shape.reorderProbability()));
      values.put("reorder-delay", format(shape.reorderDelay()));
    }
    values.put("mtu", Integer.toString(shape.mtu()));
    if (!shape.policer().equals(Policer.NONE)) {
      values.put(
          "police", shape.policer().bitsPerSecond() + "bit burst " + shape.policer().burstBytes());
    }
    if (shape.management() instanceof QueueManagement.Pie pie) {
      values.put("pie", format(pie.target()));
      if (pie.ecn()) {
        values.put("ecn", "on");
      }
    }
    if (shape.down()) {
      values.put("down", "true");
    }
    return values;
  }

  static String format(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos(), 3).stripTrailingZeros().toPlainString() + "us";
  }

  private static boolean flag(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on" -> true;
      case "false", "no", "off" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' (expected: true or false)");
    };
  }
}
