/** The parts of a run, made from its settings: network, data, rule, codec, delays and costs. */
package io.github.amb.runtime.train.part;
