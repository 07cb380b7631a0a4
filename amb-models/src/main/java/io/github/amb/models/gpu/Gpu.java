package io.github.amb.models.gpu;

/**
 * One card.
 *
 * @param uuid NVIDIA's identifier
 * @param name as NVIDIA calls it
 * @param capability its compute capability
 */
public record Gpu(String uuid, String name, ComputeCapability capability) {}
