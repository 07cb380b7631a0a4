/** The GPUs of this host, and the backend that computes on one of them. */
package io.github.amb.models.gpu;
