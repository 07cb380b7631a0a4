"use strict";
// Draws each panel of the JSON with uPlot: point at a curve for its values, drag to zoom, click
// twice to see all, click a name to hide its curve in all panels.
(function () {
  const target = document.getElementById("curves");
  if (target === null) return;
  const panels = JSON.parse(document.getElementById("curve-data").textContent);
  const number = (plot, value) => (value == null ? "–" : Number(value.toPrecision(5)).toString());
  const width = () => {
    const whole = target.clientWidth;
    return Math.floor(whole >= 1000 ? (whole - 32) / 3 : whole >= 640 ? (whole - 16) / 2 : whole);
  };
  const plots = [];
  for (const panel of panels) {
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
            spanGaps: true,
            value: number,
          }))),
        hooks: {
          setSeries: [(self, index, change) => {
            if (index == null || change.show === undefined) return;
            const label = panel.curves[index - 1].label;
            for (const other of plots) {
              const same = other.panel.curves.findIndex((curve) => curve.label === label) + 1;
              if (same > 0 && other.plot.series[same].show !== change.show) {
                other.plot.setSeries(same, { show: change.show });
              }
            }
          }],
        },
      },
      panel.rows.length === 0 ? [[]] : panel.rows[0].map((_, column) => panel.rows.map((row) => row[column])),
      box);
    plots.push({ panel: panel, plot: plot });
  }
  addEventListener("resize", () => plots.forEach((one) => one.plot.setSize({ width: width(), height: 260 })));
})();
