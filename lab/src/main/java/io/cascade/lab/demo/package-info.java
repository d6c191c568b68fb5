/**
 * Demonstrations: over an emulated long path the same file directly and by Cascade's choice, and
 * over loopback a file through relays on this host.
 */
@NullMarked
package io.cascade.lab.demo;

import org.jspecify.annotations.NullMarked;
