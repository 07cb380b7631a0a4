/** Training on a master and workers that are not equally fast; knows no MPI and no DL4J. */
package io.github.amb.core;
