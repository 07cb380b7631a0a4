/** What single schemes need beside their loops: codes, clocks, time limits, corrections. */
package io.github.amb.core.scheme.part;
