package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;

/**
 * What a network is built for.
 *
 * @param input shape of one example
 * @param classes number of classes
 * @param norm its normalization
 */
public record Requirements(ImageShape input, int classes, Norm norm) {}
