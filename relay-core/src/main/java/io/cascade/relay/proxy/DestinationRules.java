package io.cascade.relay.proxy;

import io.cascade.relay.egress.AddressRule;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a proxy's clients may go. Nowhere without a rule. A rule is a host name, {@code *.DOMAIN}
 * for all names below a domain, {@code *} for everything, or a block of addresses; and a port,
 * where not every one is meant.
 *
 * <p>Whatever a name resolves to is looked at again: an address of the relay's {@link Surroundings}
 * needs a rule that names a block within them, such as {@code 127.0.0.0/8}.
 */
final class DestinationRules implements AddressRule {
  private static final int ANY_PORT = 0;

  private final List<NameRule> names = new ArrayList<>();
  private final List<BlockRule> blocks = new ArrayList<>();

  private record NameRule(String pattern, int port) {
    boolean matches(String host, int asked) {
      if (port != ANY_PORT && port != asked) {
        return false;
      }
      return pattern.equals("*")
          || (pattern.startsWith("*.") && host.endsWith(pattern.substring(1)))
          || pattern.equals(host);
    }
  }

  private record BlockRule(AddressBlock block, int port) {
    boolean matches(InetAddress address, int asked) {
      return (port == ANY_PORT || port == asked) && block.contains(address);
    }
  }

  /** What can be said of a destination before its name is resolved. */
  enum Look {
    ALLOWED,
    /** It depends on the address. */
    BY_ADDRESS,
    REFUSED
  }

  /**
   * Reads rules such as {@code *:443}, {@code *.example.org}, {@code 10.0.0.0/8:22}, {@code
   * [2001:db8::/32]:443}.
   *
   * @throws IllegalArgumentException naming the first that is none
   */
  static DestinationRules parse(List<String> rules) {
    DestinationRules parsed = new DestinationRules();
    rules.forEach(rule -> parsed.add(rule.strip()));
    return parsed;
  }

  boolean isEmpty() {
    return names.isEmpty() && blocks.isEmpty();
  }

  /**
   * @param host a name or an address
   */
  Look look(String host, int port) {
    InetAddress literal = AddressBlock.literal(host);
    if (literal != null) {
      return allows(literal, port) ? Look.ALLOWED : Look.REFUSED;
    }
    if (named(host, port)) {
      return Look.ALLOWED;
    }
    return blocks.stream().anyMatch(rule -> rule.port() == ANY_PORT || rule.port() == port)
        ? Look.BY_ADDRESS
        : Look.REFUSED;
  }

  /** The rule for what {@code host} resolves to. */
  AddressRule resolved(String host) {
    return (address, port) ->
        named(host, port) ? !surrounding(address, port) : allows(address, port);
  }

  /** For an address that nobody has named. */
  @Override
  public boolean allows(InetAddress address, int port) {
    boolean matched =
        blocks.stream().anyMatch(rule -> rule.matches(address, port))
            || names.stream()
                .anyMatch(rule -> rule.pattern().equals("*") && rule.matches("", port));
    return matched && !surrounding(address, port);
  }

  /** For destinations of chains that end here: other relays have looked at the name. */
  AddressRule guard() {
    return (address, port) -> !surrounding(address, port);
  }

  /** Whether it is one of the surroundings that no rule opens. */
  private boolean surrounding(InetAddress address, int port) {
    @Nullable AddressBlock within = Surroundings.of(address).orElse(null);
    return within != null
        && blocks.stream()
            .noneMatch(rule -> rule.matches(address, port) && within.covers(rule.block()));
  }

  private boolean named(String host, int port) {
    String name = canonical(host);
    return names.stream().anyMatch(rule -> rule.matches(name, port));
  }

  private static String canonical(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private void add(String rule) {
    String host = rule;
    int port = ANY_PORT;
    int colon = rule.lastIndexOf(':');
    boolean bracketed = rule.startsWith("[");
    boolean bareIpv6 = !bracketed && rule.indexOf(':') != colon;
    if (colon >= 0 && !bareIpv6 && (!bracketed || rule.charAt(colon - 1) == ']')) {
      port = port(rule, rule.substring(colon + 1));
      host = rule.substring(0, colon);
    }
    if (bracketed && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    boolean addresses = host.indexOf('/') >= 0 || AddressBlock.literal(host) != null;
    if (addresses) {
      blocks.add(new BlockRule(AddressBlock.parse(host), port));
    } else if (host.matches("\\*|(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?")) {
      names.add(new NameRule(canonical(host), port));
    } else {
      throw new IllegalArgumentException(
          "'"
              + rule
              + "' (expected: *, a host, *.DOMAIN or addresses such as 10.0.0.0/8,"
              + " each with :PORT where not all are meant)");
    }
  }

  private static int port(String rule, String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 1 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException("'" + rule + "' (expected: a port from 1 to 65535)");
  }
}
