package io.cascade.relay.destination;

/**
 * Thrown when all addresses of a name are refused. The message names the first address, the rule
 * and the fix.
 */
public final class AddressRefused extends Exception {
  AddressRefused(AddressRefusal refusal) {
    super(refusal.text());
  }
}
