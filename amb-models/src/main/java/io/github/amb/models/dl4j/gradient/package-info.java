/** The gradient source that computes with DL4J. */
package io.github.amb.models.dl4j.gradient;
