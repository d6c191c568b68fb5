package io.cascade.orchestrator.chains;

import java.security.SecureRandom;
import java.util.Base64;
import org.springframework.stereotype.Component;

/**
 * Creates the keys with which neighbours in a chain authenticate each other: 32 random bytes,
 * Base64.
 */
@Component
class HopKeys {
  private static final int BYTES = 32;

  private final SecureRandom random = new SecureRandom();

  String next() {
    byte[] key = new byte[BYTES];
    random.nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }
}
