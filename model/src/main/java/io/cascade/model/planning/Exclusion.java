package io.cascade.model.planning;

/**
 * A relay that no route was planned through, and why.
 *
 * @param reason as part of a sentence: "its site is not allowed: frankfurt"
 */
public record Exclusion(String relay, String reason) {}
