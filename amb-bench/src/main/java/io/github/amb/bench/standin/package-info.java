/** A stand-in for a model, for measuring the framework alone. */
package io.github.amb.bench.standin;
