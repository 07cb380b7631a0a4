/** The lines that ranks print during training, and the views of a run for the user. */
package io.github.amb.runtime.console;
