/** Ways of vectors between the master and its workers: layers between a scheme and its engine. */
package io.github.amb.core.topology;
