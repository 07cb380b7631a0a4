/** Devices with an OpenCL driver: GPUs of any vendor, and processors. */
package io.github.amb.models.opencl;
