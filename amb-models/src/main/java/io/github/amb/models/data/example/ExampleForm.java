package io.github.amb.models.data.example;

/**
 * The form of the examples for which a network is built.
 *
 * @param dataSet what the user calls the data set
 * @param shape shape of one example
 * @param classes number of classes
 */
public record ExampleForm(String dataSet, ImageShape shape, int classes) {}
