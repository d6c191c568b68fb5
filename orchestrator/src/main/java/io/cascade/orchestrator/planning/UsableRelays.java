package io.cascade.orchestrator.planning;

import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The relays that one plan may use. */
final class UsableRelays {
  /** Most relays, since each of them probes the destination; the first by name. */
  static final int MOST = 32;

  private final Map<String, RegisteredRelay> byName = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  private UsableRelays() {}

  /** Relays that the request requires, in its order, up or not. */
  static UsableRelays required(List<RegisteredRelay> via) {
    UsableRelays usable = new UsableRelays();
    for (RegisteredRelay relay : via) {
      usable.byName.put(relay.name(), relay);
      if (!relay.isUp()) {
        usable.notes.add(relay.name() + " is " + relay.status() + ".");
      }
    }
    return usable;
  }

  /**
   * Relays that are up and not avoided by the request, at most {@value #MOST}.
   *
   * @param all registered relays, by name
   */
  static UsableRelays up(Collection<RegisteredRelay> all, Set<String> avoid) {
    UsableRelays usable = new UsableRelays();
    List<RegisteredRelay> up =
        all.stream().filter(relay -> relay.isUp() && !avoid.contains(relay.name())).toList();
    up.stream().limit(MOST).forEach(relay -> usable.byName.put(relay.name(), relay));
    if (up.size() > MOST) {
      usable.notes.add("Only the first " + MOST + " relays by name were considered.");
    }
    if (all.isEmpty()) {
      usable.notes.add("No relay has registered: " + RelayRegistry.START_ONE + ".");
    } else if (up.isEmpty()) {
      usable.notes.add("No usable relay is up.");
    }
    return usable;
  }

  Map<String, RegisteredRelay> byName() {
    return Collections.unmodifiableMap(byName);
  }

  boolean contains(String relay) {
    return byName.containsKey(relay);
  }

  /** The capacity that the relay's operator has declared, in bit/s; null if there is none. */
  @Nullable Long capacity(String relay) {
    RegisteredRelay known = byName.get(relay);
    return known == null ? null : known.registration().capacityBitsPerSecond();
  }

  /** Sentences for the plan's notes. */
  List<String> notes() {
    return Collections.unmodifiableList(notes);
  }
}
