/**
 * How ranks become a process group: ports, the run's secret, and MPJ Express in a class loader of
 * its own.
 */
package io.github.amb.runtime.mpj.world;
