package io.github.amb.plots.panel;

import io.github.amb.core.option.UsageException;
import io.github.amb.plots.PlainText;
import java.util.List;

/**
 * The content of a figure, without a size.
 *
 * @param contents the panels that have data, in order
 * @param labels what the legend calls each series' group
 * @param caption a line or two on what is drawn; empty if that is plain
 * @param notes what is missing in the figure, one line each, for the user
 * @param title a line above the panels; empty for none
 */
public record Drawing(
    List<Content> contents, List<String> labels, String caption, List<String> notes, String title) {

  /** Labels and notes, which may contain foreign names, become plain text in one line. */
  public Drawing {
    labels = labels.stream().map(PlainText::inOneLine).toList();
    notes = notes.stream().map(PlainText::inOneLine).toList();
    title = PlainText.inOneLine(title);
  }

  /** A drawing without a title. */
  public Drawing(List<Content> contents, List<String> labels, String caption, List<String> notes) {
    this(contents, labels, caption, notes, "");
  }

  /**
   * The same with other labels.
   *
   * @param chosen one for each label; empty for those that are there
   * @throws UsageException if there are more or fewer
   */
  public Drawing labelled(List<String> chosen) {
    if (chosen.isEmpty()) {
      return this;
    }
    if (chosen.size() != labels.size()) {
      throw new UsageException(
          "--label: expected %s labels, for %s, found %s",
          labels.size(), String.join("; ", labels), chosen.size());
    }
    return new Drawing(contents, chosen, caption, notes, title);
  }

  /** The same in the colors of schemes, one for each label. */
  public Drawing ofSchemes(List<String> schemes) {
    List<Integer> styles = SchemeStyles.of(schemes);
    List<Content> styled = contents.stream().map(content -> content.styled(styles)).toList();
    return new Drawing(styled, labels, caption, notes, title);
  }

  /** The same with another sentence at the end of the caption. */
  Drawing captioned(String sentence) {
    String all = caption.isEmpty() ? sentence : caption + " " + sentence;
    return new Drawing(contents, labels, all, notes, title);
  }

  /** The same with a title. */
  public Drawing titled(String chosen) {
    return new Drawing(contents, labels, caption, notes, chosen);
  }
}
