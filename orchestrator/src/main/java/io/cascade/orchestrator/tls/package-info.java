/** The server's certificate, created here or the operator's, and the rotation of its key. */
@NullMarked
package io.cascade.orchestrator.tls;

import org.jspecify.annotations.NullMarked;
