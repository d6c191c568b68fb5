/**
 * How two ends agree on a session, and how its datagrams are sealed; nothing of what it carries.
 */
@NullMarked
package io.cascade.coding.crypto;

import org.jspecify.annotations.NullMarked;
