/** Gradients with DL4J: a gradient source over a network, and layers that sum as they go. */
package io.github.amb.models.dl4j;
