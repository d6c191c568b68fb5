/**
 * A send and a receive as a user has them, sealed by a code, beside the programs that copy files
 * over ssh and beside croc: what they take, what arrives, and what happens when an end is killed.
 */
@NullMarked
package io.cascade.studies.transfers;

import org.jspecify.annotations.NullMarked;
