/**
 * The engine on the site's own MPI, through JavaCPP bindings of the few functions that it needs.
 */
package io.github.amb.openmpi;
