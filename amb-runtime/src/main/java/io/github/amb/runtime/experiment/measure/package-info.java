/** What an experiment measures of its runs, and how it compares them. */
package io.github.amb.runtime.experiment.measure;
