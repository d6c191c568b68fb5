package io.cascade.api.identity;

import java.util.UUID;

/**
 * Proof with which a relay opens its control connection.
 *
 * @param instance the registered one
 * @param sequence greater than that of every message that the instance signed before
 * @param signature by the relay's key, in Base64, over the words {@code cascade relay control
 *     connection}, the relay's name, the instance and the sequence, encoded as the contract's
 *     schema {@code Signature} describes it
 */
public record ControlProof(UUID instance, long sequence, String signature) {}
