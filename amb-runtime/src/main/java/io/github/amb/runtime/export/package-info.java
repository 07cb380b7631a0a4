/** {@code amb export}: a run's parameters in formats that other programs read. */
package io.github.amb.runtime.export;
