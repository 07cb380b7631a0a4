/**
 * Figures, tables and exports of runs. The packages that are exported are for plugins and other
 * programs; the others may change with every version.
 */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.github.amb.plots {
  requires com.fasterxml.jackson.databind;
  requires de.rototor.pdfbox.graphics2d;
  requires transitive io.github.amb.core;
  requires transitive java.desktop;
  requires io.prometheus.metrics.core;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires java.net.http;
  requires org.apache.commons.csv;
  requires org.apache.commons.statistics.distribution;
  requires org.apache.pdfbox;
  requires org.apache.xmlgraphics.batik.svggen;
  requires transitive org.jfree.jfreechart;

  exports io.github.amb.plots.panel;
  exports io.github.amb.plots.run;

  uses io.github.amb.core.plugin.Plugin;

  provides io.github.amb.core.plugin.Plugin with
      io.github.amb.plots.panel.Panels;
}
