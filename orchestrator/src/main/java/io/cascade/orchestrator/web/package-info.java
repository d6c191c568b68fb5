/** The HTTP surface that no feature owns: JSON, limits, the contract itself. */
@NullMarked
package io.cascade.orchestrator.web;

import org.jspecify.annotations.NullMarked;
