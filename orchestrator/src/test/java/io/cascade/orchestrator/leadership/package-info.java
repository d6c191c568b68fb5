@org.jspecify.annotations.NullMarked
package io.cascade.orchestrator.leadership;
