/** The hosts of a run: what is checked on each of them, and which ranks they get. */
package io.github.amb.runtime.train.host;
