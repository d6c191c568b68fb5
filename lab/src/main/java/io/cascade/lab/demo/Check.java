package io.cascade.lab.demo;

/** A condition that must hold after a demonstration. */
record Check(String what, boolean held) {}
