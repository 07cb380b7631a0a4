/** Training with one master and workers of unequal speed. Depends on neither MPI nor DL4J. */
package io.github.amb.core;
