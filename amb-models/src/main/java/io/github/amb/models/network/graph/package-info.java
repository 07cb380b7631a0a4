/** Networks that are graphs of layers, by name, and the builder that they share. */
package io.github.amb.models.network.graph;
