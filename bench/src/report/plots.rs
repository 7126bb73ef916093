//! The plots, both with logarithmic axes: what matters are ratios.

use std::{collections::BTreeMap, ops::Range, path::Path};

use anyhow::{Result, anyhow};
use plotters::{
    coord::Shift,
    prelude::{
        BLACK, ChartBuilder, Circle, Color, DrawingArea, EmptyElement, IntoDrawingArea, IntoLogRange, LineSeries,
        Palette, Palette99, PathElement, SVGBackend, SeriesLabelPosition, WHITE,
    },
};

use super::summary::Figures;
use crate::scenarios::{growth, load};

/// Points by what they belong to.
type Lines = BTreeMap<String, Vec<(f64, f64)>>;

/// What an axis is of.
struct Axes {
    title: &'static str,
    x: &'static str,
    y: &'static str,
}

/// How long an append takes, against how many are made a second in all.
pub fn load(figures: &Figures, path: &Path) -> Result<()> {
    let mut lines = Lines::new();
    for rate in figures.of_scenario(load::NAME).filter(|one| one.figure == "appends") {
        if let Some(latency) = figures.find(load::NAME, &rate.subject, "p50", rate.at) {
            lines.entry(rate.subject.clone()).or_default().push((rate.median, latency.median));
        }
    }
    let area = SVGBackend::new(path, (900, 520)).into_drawing_area();
    area.fill(&WHITE)?;
    let axes = Axes {
        title: "Latency against load: 1, 4, 16, 64 and 128 appenders at once",
        x: "appends a second",
        y: "latency of an append, p50, µs",
    };
    chart(&area, &axes, &lines)?;
    Ok(area.present()?)
}

/// How long each question takes, against how long the history is.
pub fn growth(figures: &Figures, path: &Path) -> Result<()> {
    let area = SVGBackend::new(path, (1_300, 520)).into_drawing_area();
    area.fill(&WHITE)?;
    let titles = [("ours on SQLite", "Cost against history, on SQLite"), ("ours on PostgreSQL", "… on PostgreSQL")];
    for (half, (subject, title)) in area.split_evenly((1, 2)).iter().zip(titles) {
        let mut lines = Lines::new();
        for one in figures.of_scenario(growth::NAME).filter(|one| one.subject == subject) {
            lines.entry(one.figure.clone()).or_default().push((one.at as f64, one.median));
        }
        chart(half, &Axes { title, x: "debates, and arguments in one", y: "time of an answer, p50, µs" }, &lines)?;
    }
    Ok(area.present()?)
}

fn chart(area: &DrawingArea<SVGBackend<'_>, Shift>, axes: &Axes, lines: &Lines) -> Result<()> {
    let points = || lines.values().flatten();
    let (xs, ys) = (points().map(|point| point.0), points().map(|point| point.1));
    let (Some(x), Some(y)) = (range(xs, MARGIN), range(ys, ROOM)) else { return Ok(()) };
    let mut chart = ChartBuilder::on(area)
        .caption(axes.title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(x.log_scale(), y.log_scale())
        .map_err(|e| anyhow!("cannot plot: {e}"))?;
    let whole = |value: &f64| format!("{value:.0}");
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(axes.x).y_desc(axes.y).label_style(FONT).axis_desc_style(FONT);
    mesh.x_label_formatter(&whole).y_label_formatter(&whole).draw()?;
    for (number, (name, points)) in lines.iter().enumerate() {
        let color = Palette99::pick(number);
        let line = LineSeries::new(points.iter().copied(), color.stroke_width(2));
        chart
            .draw_series(line)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], Palette99::pick(number).stroke_width(2)));
        let dots = points.iter().map(|&at| EmptyElement::at(at) + Circle::new((0, 0), 3, color.filled()));
        chart.draw_series(dots)?;
    }
    let labels = &mut chart.configure_series_labels();
    labels
        .label_font(FONT)
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3));
    labels.draw()?;
    Ok(())
}

/// For all but titles.
const FONT: (&str, u32) = ("sans-serif", 15);

/// How much further than the outermost points an axis goes.
const MARGIN: f64 = 1.5;

/// How much further where there has to be room for the names of the lines.
const ROOM: f64 = 50.0;

fn range(values: impl Iterator<Item = f64> + Clone, above: f64) -> Option<Range<f64>> {
    let most = values.clone().reduce(f64::max)?;
    let least = values.reduce(f64::min)?;
    Some(least / MARGIN..most * above)
}
