(function () {
  "use strict";
  const COLORS = /*phases*/;
  const LINES = /*lines*/;
  const SLOW = 2 / 3;
  const element = id => document.getElementById(id);
  const known = {reading: 0, losses: {stride: 0, points: []}, tests: {stride: 0, points: []}};

  // Java writes NaN and infinity as texts.
  const number = x => (typeof x === "number" ? x : null);
  const figures = (x, digits) => (number(x) === null ? "–" : x.toLocaleString("en", {maximumSignificantDigits: digits}));
  const whole = x => (number(x) === null ? "–" : Math.round(x).toLocaleString("en"));
  const percent = x => (number(x) === null ? "–" : (100 * x).toFixed(1) + " %");

  function span(seconds) {
    if (number(seconds) === null) {
      return "–";
    }
    const s = Math.round(seconds);
    const two = n => String(n).padStart(2, "0");
    return s < 60 && seconds < 60
      ? seconds.toFixed(seconds < 10 ? 1 : 0) + " s"
      : s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60)
      : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60);
  }

  function make(tag, text, name) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) {
      made.className = name;
    }
    return made;
  }

  function chart(id, color, low, high) {
    const place = element(id);
    const size = () => ({width: Math.max(200, place.clientWidth), height: 220});
    const grid = {stroke: "#ececec", width: 1};
    const plot = new uPlot({
      ...size(),
      legend: {show: true, live: true},
      scales: {x: {time: false}, y: {range: (u, least, most) => {
        const margin = (most - least || Math.abs(most) || 1) * 0.08;
        return [low === null ? least - margin : low, high === null ? most + margin : high];
      }}},
      axes: [{grid, values: (u, ticks) => ticks.map(span)}, {grid, size: 56}],
      series: [{label: "time", value: (u, x) => span(x)},
        {label: id, stroke: color, width: 1.5, points: {show: false}, value: (u, y) => figures(y, 4)}],
    }, [[], []], place);
    addEventListener("resize", () => plot.setSize(size()));
    return (times, values) => {
      plot.setData([times, values]);
    };
  }

  const draw = {
    loss: chart("loss", LINES[0], null, null),
    test: chart("test", LINES[1], null, null),
    speed: chart("speed", LINES[2], 0, null),
  };

  function merge(mine, news) {
    mine.points = mine.points.slice(0, news.from).concat(news.points);
    mine.stride = news.stride;
    return news.points.length > 0;
  }

  // A text or a function is not classified: then the curve is the test loss.
  const classifies = progress => number(progress.accuracy) !== null || number(progress.test_loss) === null;

  function curves(news, again) {
    if (merge(known.losses, news.losses) || again) {
      const points = known.losses.points;
      draw.loss(points.map(p => p[0]), points.map(p => number(p[2])));
      const every = Math.max(1, Math.ceil(points.length / 200));
      const some = points.filter((p, i) => i % every === 0);
      draw.speed(some.slice(1).map(p => p[0]),
        some.slice(1).map((p, i) => (p[0] > some[i][0] ? (p[3] - some[i][3]) / (p[0] - some[i][0]) : null)));
    }
    if (merge(known.tests, news.tests) || again) {
      const points = known.tests.points;
      const unit = classifies(news.progress) ? 100 : 1;
      element("tested").textContent = unit === 1 ? "Test loss" : "Test accuracy, %";
      draw.test(points.map(p => p[0]), points.map(p => (number(p[2]) === null ? null : unit * p[2])));
    }
  }

  function numbers(progress, virtual) {
    const rows = [
      ["step", whole(progress.step)], [virtual ? "virtual time" : "time", span(progress.time)],
      ["time left", span(progress.seconds_left)], ["training loss", figures(progress.loss, 4)],
      ...(classifies(progress)
        ? [["test accuracy", percent(progress.accuracy)], ["best accuracy", percent(progress.best)]] : []),
      ["test loss", figures(progress.test_loss, 4)], ["best test loss", figures(progress.best_loss, 4)],
      ...Object.entries(progress.metrics).map(([name, value]) => [name.replaceAll("_", " "), figures(value, 5)]),
      ["examples/s", whole(progress.speed)], ["examples", whole(progress.examples)],
      ["learning rate", figures(progress.learning_rate, 3)]];
    element("numbers").replaceChildren(...rows.map(([label, text]) => {
      const box = document.createElement("div");
      box.append(make("small", label), make("b", text));
      return box;
    }));
  }

  function bar(parts) {
    const whole = make("span", "", "bar");
    parts.forEach(([share, color, name]) => {
      const part = document.createElement("i");
      part.style.width = 100 * (number(share) || 0) + "%";
      part.style.background = color;
      part.title = name + " " + percent(share);
      whole.append(part);
    });
    return whole;
  }

  function workers(rows) {
    element("workers-section").hidden = rows.length === 0;
    const speeds = rows.filter(row => row.present && number(row.relative_speed) !== null)
      .map(row => row.relative_speed).sort((a, b) => a - b);
    const median = speeds[Math.floor(speeds.length / 2)];
    element("workers").replaceChildren(...rows.map(row => {
      const line = make("tr", "", row.present ? "" : "gone");
      const relative = number(row.relative_speed);
      const slow = row.present && relative !== null && relative < SLOW * median;
      const notes = [slow ? "slow" : "", row.present ? "" : "removed",
        row.dropped ? row.dropped + " dropped" : ""].filter(Boolean).join(", ");
      const time = document.createElement("td");
      time.append(bar([[row.compute_share, COLORS.compute, "compute"], [row.sleep_share, COLORS.sleep, "sleep"],
        [row.idle_share, COLORS.wait, "wait"]]));
      line.append(make("td", row.rank), make("td", whole(row.results), "less"), make("td", whole(row.examples), "less"),
        make("td", whole(row.speed)), make("td", relative === null ? "–" : Math.round(100 * relative) + " %"),
        time, make("td", percent(row.idle_share)), make("td", notes, slow ? "slow" : ""));
      return line;
    }));
  }

  function timeline(spans) {
    const canvas = element("timeline");
    const ranks = [...new Set(spans.map(s => s[0]))];
    const line = 18, left = 60, bottom = 20, ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth, height = ranks.length * line + bottom;
    canvas.style.height = height + "px";
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "11px 'DejaVu Sans', Verdana, sans-serif";
    if (spans.length === 0) {
      return;
    }
    const start = spans.reduce((least, s) => Math.min(least, s[2]), Infinity);
    const end = spans.reduce((most, s) => Math.max(most, s[3]), -Infinity);
    const x = t => left + (width - left - 8) * (t - start) / (end - start || 1);
    spans.forEach(([rank, phase, from, to]) => {
      pen.fillStyle = COLORS[phase];
      pen.fillRect(x(from), ranks.indexOf(rank) * line + 3, Math.max(0.5, x(to) - x(from)), line - 6);
    });
    pen.fillStyle = "#1a1a1a";
    pen.textBaseline = "middle";
    ranks.forEach((rank, i) => pen.fillText(rank ? "worker " + rank : "master", 0, i * line + line / 2));
    pen.textBaseline = "alphabetic";
    pen.textAlign = "left";
    pen.fillText(span(start), left, height - 5);
    pen.textAlign = "right";
    pen.fillText(span(end), width - 8, height - 5);
  }

  function events(list) {
    element("no-events").hidden = list.length > 0;
    element("events").replaceChildren(...list.slice().reverse().map(event => {
      const line = document.createElement("tr");
      line.append(make("td", whole(event.step)), make("td", span(event.time)), make("td", event.text));
      return line;
    }));
  }

  function state(text, kind) {
    element("state").textContent = text;
    element("state").className = "state " + kind;
  }

  function show(news) {
    const again = news.reading !== known.reading;
    known.reading = news.reading;
    document.title = news.run.name + " – AMB";
    element("name").textContent = news.run.name;
    element("directory").textContent = news.run.directory + " · started " + news.run.started;
    if (news.read < 1) {
      state("reading " + Math.floor(100 * news.read) + " %", "running");
    } else if (news.run.exit_code === null) {
      state(news.run.cause, "running");
    } else {
      state("ended: " + news.run.cause, news.run.exit_code === 0 ? "" : "failed");
    }
    numbers(news.progress, news.run.virtual);
    curves(news, again);
    workers(news.workers);
    timeline(news.spans);
    events(news.events);
  }

  async function follow() {
    const has = [known.reading, known.losses.stride, known.losses.points.length,
      known.tests.stride, known.tests.points.length].join(",");
    let pause = 1000;
    try {
      const answer = await fetch("run?has=" + has, {cache: "no-store"});
      if (answer.ok) {
        const news = await answer.json();
        show(news);
        pause = news.read < 1 ? 0 : pause;
      } else {
        state(await answer.text(), "failed");
      }
    } catch (problem) {
      state("no connection: the program that serves this page has ended", "failed");
    }
    setTimeout(follow, pause);
  }

  Object.entries(COLORS).forEach(([name, color]) => {
    const key = make("span", "", "key");
    key.style.background = color;
    element("legend").append(key, name);
  });
  follow();
})();
