package io.cascade.relay.destination;

/**
 * Refusal of all addresses of a name. The message names the first address, the rule and the fix.
 */
public final class AddressRefused extends Exception {
  AddressRefused(AddressRefusal refusal) {
    super(refusal.text());
  }
}
