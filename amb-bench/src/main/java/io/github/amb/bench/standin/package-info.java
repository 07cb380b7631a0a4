/** A stand-in for a model, so that what is left to measure is the framework. */
package io.github.amb.bench.standin;
