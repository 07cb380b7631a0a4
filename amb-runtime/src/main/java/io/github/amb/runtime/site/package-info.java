/**
 * The site's own MPI: the interface that a separate module implements, and how a run is started
 * there.
 */
package io.github.amb.runtime.site;
