/**
 * Authentication and encryption between a sender and a receiver. Both prove to each other that they
 * have the same code or key (EC-JPAKE, RFC 8236). From then on they use TLS 1.3, with the
 * certificate that the receiver named in that proof.
 */
@NullMarked
package io.cascade.client.sealed;

import org.jspecify.annotations.NullMarked;
