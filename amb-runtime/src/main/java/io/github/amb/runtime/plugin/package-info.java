/** Jars with plugins: where they are, whether they fit, and the class loader that has them. */
package io.github.amb.runtime.plugin;
