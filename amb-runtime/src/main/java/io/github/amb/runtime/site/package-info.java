/** The interface to the site's own MPI, which a separate module implements where it is built. */
package io.github.amb.runtime.site;
