import { useMemo, useState } from "react";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { placeUrl, useSearchState, useSetSearch } from "../../app/places";
import { Chart, momentText } from "../../chart/chart";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatBytes, formatDuration, plural } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { ErrorBox, Loading } from "../../ui/states";
import { CHARTS, formatCores, formatRate, type LoadChart, pointText } from "./loadCharts";
import type { LoadPoint } from "./metrics";
import { useLoad } from "./useLoad";

const SPANS = [1, 5, 15];
const DEFAULT_SPAN = 5;
const TABLE_ROWS = 60;

/** What the server does, second by second, while somebody looks. */
export function LivePage() {
  const { span: spanText } = useSearchState();
  const setSearch = useSetSearch();
  const [isPaused, setPaused] = useState(false);
  const { points, running, error, retry } = useLoad(isPaused);
  const minutes = SPANS.find((one) => String(one) === spanText) ?? DEFAULT_SPAN;
  const end = points.at(-1)?.at ?? 0;
  // At first the axis is as long as what there is, so that a short line is seen.
  const from = Math.max(end - minutes * 60_000, Math.min(points[0]?.at ?? end, end - 60_000));
  const shown = useMemo(() => points.filter((one) => one.at >= from), [points, from]);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Load of the server</h1>
        {isPaused ? (
          <Chip tone="stale" icon="pause">
            paused
          </Chip>
        ) : (
          <Chip tone="good" icon="activity">
            live
          </Chip>
        )}
        <Link href={placeUrl("/running")}>
          {running === undefined ? "Running requests" : `${plural(running, "request")} running`}
        </Link>
        <span className="grow" />
        <Segments
          name="How many minutes"
          choices={SPANS.map((one) => ({ key: String(one), title: `${one} min` }))}
          chosen={String(minutes)}
          onChoose={(key) => setSearch({ span: key === String(DEFAULT_SPAN) ? undefined : key })}
        />
        <Button
          icon={isPaused ? "play" : "pause"}
          onClick={() => {
            setPaused(!isPaused);
            announce(isPaused ? "Live again." : "Paused.");
          }}
        >
          {isPaused ? "Go on" : "Pause"}
        </Button>
      </div>
      {error !== undefined && <ErrorBox title="The metrics cannot be read now" error={error} onRetry={retry} />}
      {points.length === 0 && error === undefined && <Loading what="the first two seconds" rows={8} />}
      {points.length > 0 && (
        <section className="scroll padded" aria-label="Charts" tabIndex={0}>
          <div className="charts">
            {CHARTS.map((chart) => (
              <LoadSection key={chart.title} chart={chart} points={shown} span={[from, end]} />
            ))}
          </div>
          <p className="hint padded">
            All times are in UTC. This page asks once a second, and what it asks is among the requests; while it is
            hidden it asks nothing, which is a gap. Latencies are counted in steps that double, and lie within theirs.
          </p>
          <details className="padded">
            <summary>The last minute as a table</summary>
            <LoadTable points={points.slice(-TABLE_ROWS).reverse()} />
          </details>
        </section>
      )}
    </div>
  );
}

function LoadSection({
  chart,
  points,
  span,
}: {
  chart: LoadChart;
  points: readonly LoadPoint[];
  span: readonly [number, number];
}) {
  const times = useMemo(() => points.map((one) => one.at), [points]);
  const series = useMemo(
    () =>
      chart.lines.map((line, at) => ({
        title: line.title,
        color: at + 1,
        isDashed: at === 1,
        values: points.map((one) => one[line.field]),
      })),
    [chart, points],
  );
  return (
    <section aria-label={chart.title}>
      <h2>{chart.title}</h2>
      <Chart
        name={chart.title}
        times={times}
        series={series}
        axis={chart.axis}
        unit={chart.unit}
        span={span}
        format={chart.format}
      />
    </section>
  );
}

function LoadTable({ points }: { points: readonly LoadPoint[] }) {
  return (
    <section className="scroll short" aria-label="Load of the last minute" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Time</th>
            <th className="number">Requests/s</th>
            <th className="number">Refused/s</th>
            <th className="number">Failed/s</th>
            <th className="number">p50</th>
            <th className="number">p99</th>
            <th className="number">Changes/s</th>
            <th className="number">Commits/s</th>
            <th className="number">Resident</th>
            <th className="number">Cores</th>
          </tr>
        </thead>
        <tbody>
          {points.map((one) => (
            <tr key={one.at}>
              <td className="nowrap">{momentText(one.at)}</td>
              <td className="number">{pointText(one.ok, formatRate)}</td>
              <td className="number">{pointText(one.refused, formatRate)}</td>
              <td className="number">{pointText(one.failed, formatRate)}</td>
              <td className="number nowrap">{pointText(one.p50Ms, formatDuration)}</td>
              <td className="number nowrap">{pointText(one.p99Ms, formatDuration)}</td>
              <td className="number">{pointText(one.changes, formatRate)}</td>
              <td className="number">{pointText(one.commits, formatRate)}</td>
              <td className="number nowrap">{pointText(one.workingSet, formatBytes)}</td>
              <td className="number">{pointText(one.cores, formatCores)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
