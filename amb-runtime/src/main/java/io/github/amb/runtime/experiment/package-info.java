/** {@code amb experiment}: a matrix of runs from a file, and a report with intervals. */
package io.github.amb.runtime.experiment;
