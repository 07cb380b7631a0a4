"use strict";
// Draws each panel of the JSON with uPlot: point at a curve for its values, drag to zoom, click
// twice to see all, click a name to hide its curve in all panels. The ends of a curve's band are
// two more series, without lines and names.
(function () {
  const target = document.getElementById("curves");
  if (target === null) return;
  const panels = JSON.parse(document.getElementById("curve-data").textContent);
  const number = (plot, value) => (value == null ? "–" : Number(value.toPrecision(5)).toString());
  // uPlot draws a line past undefined, where another curve has a point, and leaves a gap at null.
  const value = (cell) => (cell === null ? undefined : cell === "NaN" ? null : cell);
  const width = () => {
    const whole = target.clientWidth;
    return Math.floor(whole >= 1000 ? (whole - 32) / 3 : whole >= 640 ? (whole - 16) / 2 : whole);
  };
  const plots = [];
  for (const panel of panels) {
    const edges = panel.curves.map(() => []);
    let column = panel.curves.length + 1;
    panel.curves.forEach((curve, i) => {
      if (curve.band) edges[i] = [column++, column++];
    });
    const box = document.createElement("div");
    box.id = "curves-" + panel.name;
    target.append(box);
    const axis = (label, size) => ({ label: label, size: size, labelSize: 20, font: "11px sans-serif", labelFont: "12px sans-serif" });
    const plot = new uPlot(
      {
        width: width(),
        height: 260,
        scales: { x: { time: false } },
        axes: [axis(panel.x, 34), axis(panel.y, 52)],
        legend: { live: true },
        series: [{ label: panel.x, value: number }].concat(
          panel.curves.map((curve) => ({
            label: curve.label,
            stroke: curve.color,
            dash: curve.dash,
            width: 1.5,
            value: number,
          })),
          edges.flat().map(() => ({ class: "band", spanGaps: true, points: { show: false } }))),
        bands: panel.curves.flatMap((curve, i) =>
          curve.band ? [{ series: [edges[i][1], edges[i][0]], fill: curve.color + "33" }] : []),
        hooks: {
          setSeries: [(self, index, change) => {
            if (index == null || index > panel.curves.length || change.show === undefined) return;
            const label = panel.curves[index - 1].label;
            for (const other of plots) {
              const same = other.panel.curves.findIndex((curve) => curve.label === label);
              if (same < 0) continue;
              for (const series of [same + 1, ...other.edges[same]]) {
                if (other.plot.series[series].show !== change.show) {
                  other.plot.setSeries(series, { show: change.show });
                }
              }
            }
          }],
        },
      },
      panel.rows.length === 0 ? [[]] : panel.rows[0].map((_, column) => panel.rows.map((row) => value(row[column]))),
      box);
    plots.push({ panel: panel, plot: plot, edges: edges });
  }
  addEventListener("resize", () => plots.forEach((one) => one.plot.setSize({ width: width(), height: 260 })));
})();
