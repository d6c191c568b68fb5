/**
 * The demonstration: a whole Cascade in processes of its own on loopback ports, and a file that
 * goes through it.
 */
@NullMarked
package io.cascade.client.demo;

import org.jspecify.annotations.NullMarked;
