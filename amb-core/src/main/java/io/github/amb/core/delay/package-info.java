/** Delay models: the distributions of the delays that are induced to make stragglers. */
package io.github.amb.core.delay;
