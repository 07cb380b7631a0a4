/**
 * Gradients of a network's graph on a device that has kernels, whatever its driver: OpenCL, or
 * DL4J's backend for the GPUs of this host.
 */
package io.github.amb.models.device;
