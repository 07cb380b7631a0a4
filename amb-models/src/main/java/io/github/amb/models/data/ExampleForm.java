package io.github.amb.models.data;

/**
 * What a network must know of the examples that it is built for.
 *
 * @param dataSet what the user calls the data set
 * @param shape shape of one example
 * @param classes number of classes
 */
public record ExampleForm(String dataSet, ImageShape shape, int classes) {}
