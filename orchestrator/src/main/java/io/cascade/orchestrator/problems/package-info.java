/** What can be wrong with a request, and how it reads in HTTP (RFC 9457). */
@NullMarked
package io.cascade.orchestrator.problems;

import org.jspecify.annotations.NullMarked;
