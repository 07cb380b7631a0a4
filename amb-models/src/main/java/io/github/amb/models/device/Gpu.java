package io.github.amb.models.device;

/**
 * A GPU of this host, or a part of one (MIG).
 *
 * @param uuid NVIDIA's identifier
 * @param name NVIDIA's name of the model
 * @param capability its compute capability
 */
public record Gpu(String uuid, String name, ComputeCapability capability) {}
