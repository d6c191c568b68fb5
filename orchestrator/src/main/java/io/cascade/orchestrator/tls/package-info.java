/** The certificate that the server shows: made here or the operator's, and how its key changes. */
@NullMarked
package io.cascade.orchestrator.tls;

import org.jspecify.annotations.NullMarked;
