package io.github.amb.plots.report;

/**
 * The head and the scripts around a page's content. Its security policy allows no network, and no
 * script but those whose checksums it lists.
 */
final class PageFrame {
  private PageFrame() {}

  /**
   * A whole page.
   *
   * @param title plain text
   * @param body elements, escaped
   */
  static String of(String title, String body) {
    String library = script(UPlot.script());
    String own = script(PageFiles.text(PageFrame.class, "report.js"));
    String policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '%s' '%s'"
            .formatted(PageFiles.checksum(library), PageFiles.checksum(own));
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n");
    page.append("<meta http-equiv=\"Content-Security-Policy\" content=\"").append(policy);
    page.append("\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n");
    page.append("<title>AMB: ").append(Html.escaped(title)).append("</title>\n<style>\n");
    page.append(UPlot.style()).append('\n');
    page.append(PageFiles.text(PageFrame.class, "report.css"));
    page.append("</style></head><body>\n").append(body);
    page.append("<script>").append(library).append("</script>\n");
    page.append("<script>").append(own).append("</script>\n");
    return page.append("</body></html>\n").toString();
  }

  /** A script that readers of XML take too. */
  private static String script(String text) {
    return "//<![CDATA[\n" + text + "\n//]]>";
  }
}
