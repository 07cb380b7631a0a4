/** Gradients of a network's graph on a device that has kernels, whatever its driver. */
package io.github.amb.models.device;
