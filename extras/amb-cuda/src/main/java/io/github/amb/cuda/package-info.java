/** ND4J's backend for NVIDIA's GPUs, CUDA 11.6. */
package io.github.amb.cuda;
