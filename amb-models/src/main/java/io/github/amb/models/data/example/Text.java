package io.github.amb.models.data.example;

/**
 * What a data set of text has besides its windows.
 *
 * @param vocabulary its tokens, which are its classes
 * @param tokensPerCharacter tokens of the part for testing, divided by its characters (code points)
 */
public record Text(Vocabulary vocabulary, double tokensPerCharacter) {}
