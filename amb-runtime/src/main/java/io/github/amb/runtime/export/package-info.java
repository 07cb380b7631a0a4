/** {@code amb export}: writes a run's parameters in formats of other programs. */
package io.github.amb.runtime.export;
