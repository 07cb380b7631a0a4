/** The door to the site's own MPI, which a module of its own provides where it is built. */
package io.github.amb.runtime.site;
