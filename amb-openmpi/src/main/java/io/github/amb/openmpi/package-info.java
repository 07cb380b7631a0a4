/** The engine on the site's own MPI, through a JavaCPP preset of its few calls that are needed. */
package io.github.amb.openmpi;
