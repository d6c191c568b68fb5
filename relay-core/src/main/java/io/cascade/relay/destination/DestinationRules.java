package io.cascade.relay.destination;

import io.cascade.api.AddressBlock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The rules of {@code --allow-destination}. A rule is a host name, {@code *.DOMAIN} for all names
 * below a domain, {@code *} for everything, or a block of addresses, each with an optional port.
 * What a match means is decided by {@link DestinationPolicy}.
 */
public final class DestinationRules {
  private static final int ANY_PORT = 0;

  private final List<NameRule> names = new ArrayList<>();
  private final List<BlockRule> blocks = new ArrayList<>();

  private record NameRule(String pattern, int port) {
    boolean matches(String host, int asked) {
      return isEverything(asked) || namesHost(host, asked);
    }

    boolean isEverything(int asked) {
      return pattern.equals("*") && (port == ANY_PORT || port == asked);
    }

    boolean namesHost(String host, int asked) {
      return !pattern.equals("*")
          && (port == ANY_PORT || port == asked)
          && ((pattern.startsWith("*.") && host.endsWith(pattern.substring(1)))
              || pattern.equals(host));
    }
  }

  private record BlockRule(AddressBlock block, int port) {
    boolean matches(InetAddress address, int asked) {
      return (port == ANY_PORT || port == asked) && block.contains(address);
    }
  }

  /** Decision on a destination before its name is resolved. */
  public enum Look {
    ALLOWED,
    /** Depends on the resolved address. */
    BY_ADDRESS,
    REFUSED
  }

  /**
   * Reads rules such as {@code *:443}, {@code *.example.org}, {@code 10.0.0.0/8:22}, {@code
   * [2001:db8::/32]:443}; a port {@code *} is every port.
   *
   * @throws IllegalArgumentException naming the first invalid one
   */
  public static DestinationRules parse(List<String> rules) {
    DestinationRules parsed = new DestinationRules();
    rules.forEach(rule -> parsed.add(rule.strip()));
    return parsed;
  }

  public boolean isEmpty() {
    return names.isEmpty() && blocks.isEmpty();
  }

  /**
   * Decides about a destination that a proxy's client requests.
   *
   * @param host a name or an address
   */
  public Look look(String host, int port) {
    InetAddress literal = AddressBlock.literal(host);
    if (literal != null) {
      boolean matched = matchesAddress(literal, port) && !needsBlock(literal, port);
      return matched ? Look.ALLOWED : Look.REFUSED;
    }
    if (matchesName(host, port)) {
      return Look.ALLOWED;
    }
    return blocks.stream().anyMatch(rule -> rule.port() == ANY_PORT || rule.port() == port)
        ? Look.BY_ADDRESS
        : Look.REFUSED;
  }

  /** Whether a rule of names, such as {@code *}, matches. */
  boolean matchesName(String host, int port) {
    String name = canonical(host);
    return names.stream().anyMatch(rule -> rule.matches(name, port));
  }

  /** Whether a rule names this very host or its domain. */
  boolean namesHost(String host, int port) {
    String name = canonical(host);
    return names.stream().anyMatch(rule -> rule.namesHost(name, port));
  }

  /** Whether a block or {@code *} matches the address, independent of its name. */
  boolean matchesAddress(InetAddress address, int port) {
    return blocks.stream().anyMatch(rule -> rule.matches(address, port))
        || names.stream().anyMatch(rule -> rule.isEverything(port));
  }

  /** Whether a rule names a block within {@code within} that contains the address. */
  boolean namesBlock(InetAddress address, int port, AddressBlock within) {
    InetAddress inside = EmbeddedIpv4.unwrap(address);
    return blocks.stream()
        .anyMatch(rule ->
            within.covers(rule.block())
                && (rule.matches(address, port) || rule.matches(inside, port)));
  }

  /** Whether a proxy needs a rule of the address's block, and none exists. */
  private boolean needsBlock(InetAddress address, int port) {
    return SpecialAddresses.of(address)
        .filter(special -> special.scope() != SpecialAddresses.Scope.PRIVATE)
        .filter(special -> !namesBlock(address, port, special.block()))
        .isPresent();
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
              + "' (expected: *, a host, *.DOMAIN or addresses such as 10.0.0.0/8, each with :PORT"
              + " for one port only)");
    }
  }

  private static int port(String rule, String text) {
    if (text.equals("*")) {
      return ANY_PORT;
    }
    try {
      int port = Integer.parseInt(text);
      if (port >= 1 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException("'" + rule + "' (expected: a port from 1 to 65535, or *)");
  }
}
