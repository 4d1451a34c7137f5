// Draws panels and their series as one SVG, in the places that the dashboard gives them.

const [COLUMN, ROW] = [50, 22];
const GAP = 8;
const COLORS = [
  '#2f6fb5',
  '#d1682a',
  '#3a9a4a',
  '#b5342f',
  '#7a55b0',
  '#8a6d3b',
  '#c2529b',
  '#5b6b78',
  '#a5a520',
  '#1f9aa8',
];
const MOST_NAMES = 5;
const TITLE = 48;

/**
 * @param panels of a Grafana dashboard, each with its series
 * @param from start, in seconds of the epoch @param to end, in seconds of the epoch
 */
export function drawDashboard(panels, from, to) {
  const width = 24 * COLUMN;
  const height = TITLE + Math.max(...panels.map(({ gridPos: { y, h } }) => y + h)) * ROW;
  const note = `Real data: ${Math.round(to - from)} s of a gateway at work, scraped by Prometheus; drawn by scripts/dashboard-picture.mjs, not by Grafana.`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="#333">
<rect width="${width}" height="${height}" fill="#f4f5f7"/>
${text(GAP, 20, 'Access Gateway', 'font-size="16" font-weight="bold"')}
${text(GAP, 38, note, 'fill="#666"')}
${panels.map((panel) => drawPanel(panel, from, to)).join('\n')}
</svg>
`;
}

function drawPanel({ type, title, gridPos, series, fieldConfig }, from, to) {
  const [left, top] = [gridPos.x * COLUMN + GAP / 2, TITLE + gridPos.y * ROW];
  if (type === 'row') return text(left + GAP, top + 16, title, 'font-size="13" font-weight="bold"');
  const [width, height] = [gridPos.w * COLUMN - GAP, gridPos.h * ROW - GAP];
  const frame = `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="3" fill="#fff" stroke="#d8dade"/>`;
  const heading = text(left + GAP, top + 16, title, 'font-weight="bold"');
  const known = series
    .map(({ name, points }) => ({ name, points: points.filter(([, value]) => Number.isFinite(value)) }))
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => peak(b) - peak(a));
  if (known.length === 0)
    return [frame, heading, text(left + GAP, top + 40, 'no data', 'fill="#999"')].join('');
  const plot = { x: left + 62, y: top + 26, width: width - 74, height: height - 56 };
  const highest = Math.max(...known.map(peak)) || 1;
  const unit = fieldConfig?.defaults?.unit;
  const lines = known.map(({ points }, index) => {
    const path = points
      .map(([at, value]) => {
        const x = plot.x + ((at - from) / (to - from)) * plot.width;
        const y = plot.y + plot.height * (1 - Math.max(value, 0) / highest);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      })
      .join(' ');
    return `<polyline points="${path}" fill="none" stroke="${COLORS[index % COLORS.length]}" stroke-width="1.3"/>`;
  });
  const scale = [0, 0.5, 1].map((part) => {
    const y = plot.y + plot.height * (1 - part);
    const rule = `<line x1="${plot.x}" x2="${plot.x + plot.width}" y1="${y}" y2="${y}" stroke="#eceef1"/>`;
    return (
      rule +
      text(plot.x - 6, y + 4, shown(highest * part, unit), 'text-anchor="end" fill="#777" font-size="10"')
    );
  });
  return [frame, heading, ...scale, ...lines, names(known, left, top + height - 10, width)].join('');
}

function names(series, left, y, width) {
  const most = Math.floor((width - 2 * GAP) / MOST_NAMES);
  return series
    .slice(0, MOST_NAMES)
    .map(({ name }, index) => {
      const x = left + GAP + index * most;
      const label = name.trim() || 'value';
      const short = label.length > most / 6 ? `${label.slice(0, Math.floor(most / 6) - 1)}…` : label;
      return `<rect x="${x}" y="${y - 8}" width="8" height="8" fill="${COLORS[index % COLORS.length]}"/>${text(x + 11, y, short, 'font-size="10"')}`;
    })
    .join('');
}

function peak({ points }) {
  return points.reduce((most, [, value]) => Math.max(most, value), 0);
}

function shown(value, unit) {
  switch (unit) {
    case 's':
      return value < 1 ? `${rounded(value * 1_000)} ms` : `${rounded(value)} s`;
    case 'bytes':
    case 'Bps': {
      const [divisor, name] = value >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB'];
      return `${rounded(value / divisor)} ${name}${unit === 'Bps' ? '/s' : ''}`;
    }
    case 'percentunit':
      return `${rounded(value * 100)} %`;
    case 'ops':
    case 'reqps':
      return `${rounded(value)}/s`;
    default:
      return rounded(value);
  }
}

function rounded(value) {
  return String(Number(value.toPrecision(2)));
}

function text(x, y, content, attributes = '') {
  const safe = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" ${attributes}>${safe}</text>`;
}
