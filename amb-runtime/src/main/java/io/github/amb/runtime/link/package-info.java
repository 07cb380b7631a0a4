/** The layers between a scheme and its engine, and what stands in them in every run. */
package io.github.amb.runtime.link;
