/** Problems of a request, and their form in HTTP (RFC 9457). */
@NullMarked
package io.cascade.orchestrator.problems;

import org.jspecify.annotations.NullMarked;
