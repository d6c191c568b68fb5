/** Whether relays would help, for the destinations that streams went to lately. */
@org.jspecify.annotations.NullMarked
package io.cascade.orchestrator.advice;
