/** A network's layers as data, which an engine turns into operations. */
package io.github.amb.models.graph;
