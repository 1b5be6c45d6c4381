import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useMemo, useState } from "react";
import { databasePath, urlOf } from "../../api/http";
import { deleteEntries, readValueNames, type SeriesFacts, type TimeRange } from "../../api/timeSeries";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { useGo, useSearchState, useSetSearch } from "../../app/places";
import { Chart } from "../../chart/chart";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { plural } from "../../ui/format";
import { Menu } from "../../ui/menu";
import { saveUrl } from "../../ui/saveFile";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { EntryDialog } from "./entryDialog";
import { EntryTable } from "./entryTable";
import { RangeBar } from "./rangeBar";
import {
  entryChart,
  frameChart,
  isWhole,
  kindOf,
  LINES_MAX,
  pan,
  readTime,
  shortNumber,
  shownValues,
  timeText,
  valueTitles,
  within,
  zoom,
} from "./seriesModel";
import { KindChip, seriesUrl } from "./timeSeriesPart";
import { type Drawn, useSeriesChart } from "./useSeriesChart";

/** One series: a chart of a range, which keys, buttons and the mouse narrow, and its entries beside it. */
export function OneSeries({
  database,
  id,
  facts,
  onChanged,
}: {
  database: string;
  id: string;
  facts: SeriesFacts;
  onChanged: () => Promise<void>;
}) {
  const { name } = facts;
  const go = useGo();
  const kind = kindOf(name);
  const search = useSearchState();
  const setSearch = useSetSearch();
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<{ range: TimeRange; count: number }>();
  const whole = { from: facts.start, to: facts.end };
  const from = readTime(search.from ?? "") ?? whole.from;
  const to = readTime(search.to ?? "") ?? whole.to;
  const range = from <= to ? { from, to } : whole;
  const setRange = (next: TimeRange) => {
    const isAll = isWhole(next, whole);
    setSearch(
      {
        from: isAll ? undefined : timeText(next.from),
        to: isAll ? undefined : timeText(next.to),
        start: undefined,
      },
      true,
    );
  };
  const chart = useSeriesChart(database, id, name, range);
  const names = useNames(database, kind.raw);
  const width = drawnWidth(chart.data);
  const titles = useMemo(
    () => valueTitles(chart.data?.how === "frames" ? { ...kind, policy: undefined } : kind, width, names),
    [chart.data, kind.policy, width, names],
  );
  const shown = shownValues(search.values, titles.length);
  const drawn = useDrawn(chart.data, name, titles, shown);
  const span = useMemo((): [number, number] => [range.from, range.to], [range.from, range.to]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = rangeOfKey(event, range, whole);
    if (next) {
      event.preventDefault();
      setRange(next);
      announce(`From ${timeText(next.from)} to ${timeText(next.to)}.`);
    }
  };
  const save = (format: "csv" | "jsonl") =>
    saveUrl(
      urlOf(databasePath(database, "streams/timeseries"), {
        docId: id,
        name,
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        format: format === "csv" ? format : undefined,
      }),
      `${name}.${format}`,
    );
  const isOwn = kind.policy !== undefined;
  return (
    <section className="page" aria-label={`Series ${name}`}>
      <div className="page-head">
        <h1 className="mono ellipsis" title={name}>
          {name}
        </h1>
        <KindChip name={name} />
        <span className="muted">{plural(facts.entries, "entry", "entries")}</span>
        <span className="grow" />
        <Link href={seriesUrl(database, id)}>All series</Link>
        <Menu
          name="More"
          entries={[
            { text: "Save the range as CSV", icon: "download", onSelect: () => save("csv") },
            { text: "Save the range as JSON lines", icon: "download", onSelect: () => save("jsonl") },
            ...(isOwn
              ? []
              : [
                  {
                    text: "Delete the range…",
                    icon: "trash" as const,
                    isDanger: true,
                    onSelect: () => setDeleted({ range, count: chart.data?.count ?? 0 }),
                  },
                ]),
          ]}
        />
        <Button
          kind="primary"
          icon="plus"
          refusal={isOwn ? "A roll-up is made by its policy." : undefined}
          onClick={() => setAdding(true)}
        >
          New entry
        </Button>
      </div>
      <RangeBar range={range} whole={whole} onRange={setRange} />
      {chart.error && (
        <ErrorBox title="The entries cannot be read" error={chart.error} onRetry={() => void chart.refetch()} />
      )}
      <div className="series">
        <div className={chart.isPlaceholderData ? "series-chart dimmed" : "series-chart"}>
          {titles.length > 1 && (
            <ValueChoice
              titles={titles}
              shown={shown}
              onShown={(next) => setSearch({ values: next.length === titles.length ? undefined : next.join() })}
            />
          )}
          {chart.isPending && <Loading what="the chart" rows={8} />}
          {drawn && drawn.times.length === 0 && <Empty icon="chart" title="There are no entries in this range" />}
          {drawn && drawn.times.length > 0 && (
            <div
              className="chart-keys"
              role="group"
              tabIndex={0}
              aria-label="Chart: plus and minus narrow and widen the range, arrows move it, Home shows all"
              onKeyDown={onKeyDown}
            >
              <Chart
                name={name}
                times={drawn.times}
                series={drawn.series}
                axis="value"
                unit={titles.length === 1 ? (titles[0] ?? "value") : "values"}
                span={span}
                format={shortNumber}
                height={320}
                onRange={(left, right) => setRange(within({ from: left, to: right }, range))}
              />
            </div>
          )}
          {chart.data && (
            <p className="hint">
              {howText(chart.data)} Draw over a stretch to narrow the range; with the chart focused, + and − do it too.
            </p>
          )}
        </div>
        <EntryTable
          database={database}
          id={id}
          name={name}
          kind={kind}
          names={names}
          range={range}
          onDelete={isOwn ? undefined : (at) => setDeleted({ range: { from: at, to: at }, count: 1 })}
        />
      </div>
      {isAdding && (
        <EntryDialog
          database={database}
          id={id}
          name={name}
          onClose={() => setAdding(false)}
          onDone={() => void onChanged()}
        />
      )}
      <Confirm
        title={`Delete entries of ${name}`}
        isOpen={deleted !== undefined}
        first="What is deleted cannot be brought back."
        action={`Delete ${plural(deleted?.count ?? 0, "entry", "entries")}`}
        onClose={() => setDeleted(undefined)}
        onConfirm={async () => {
          if (deleted) {
            await deleteEntries(database, id, name, deleted.range);
            announce(`${plural(deleted.count, "entry is", "entries are")} deleted.`);
            await onChanged();
            if (isWhole(deleted.range, whole)) {
              go(seriesUrl(database, id));
            }
          }
        }}
      >
        <p>
          {deleted && deleted.range.from === deleted.range.to
            ? `The entry of ${timeText(deleted.range.from)}.`
            : `From ${timeText(deleted?.range.from ?? 0)} to ${timeText(deleted?.range.to ?? 0)}, both ends included.`}
        </p>
      </Confirm>
    </section>
  );
}

function howText(drawn: Drawn): string {
  const count = plural(drawn.count, "entry", "entries");
  return drawn.how === "entries"
    ? `All ${count} of the range are drawn.`
    : `${count}: for each ${drawn.frame} the area from the least to the greatest, and the average as a line.`;
}

/** The names of the values of a series: those of any collection that has the series. */
function useNames(database: string, raw: string): readonly string[] {
  const names = useQuery({
    queryKey: ["valueNames", database],
    queryFn: ({ signal }) => readValueNames(database, signal),
    staleTime: 60_000,
    retry: false,
  });
  return useMemo(() => {
    for (const series of Object.values(names.data ?? {})) {
      const found = Object.entries(series).find(([name]) => name.toLowerCase() === raw.toLowerCase());
      if (found) {
        return found[1];
      }
    }
    return NO_NAMES;
  }, [names.data, raw]);
}

const NO_NAMES: readonly string[] = [];

function drawnWidth(drawn: Drawn | undefined): number {
  const lists = drawn?.how === "frames" ? drawn.frames.map((one) => one.min) : drawn?.entries.map((one) => one.values);
  return (lists ?? []).reduce((most, list) => Math.max(most, list.length), 0);
}

function useDrawn(drawn: Drawn | undefined, name: string, titles: readonly string[], shown: readonly number[]) {
  const key = shown.join();
  return useMemo(() => {
    const lines = key === "" ? [] : key.split(",").map(Number);
    if (!drawn) {
      return undefined;
    }
    return drawn.how === "frames"
      ? frameChart(drawn.frames, titles, lines)
      : entryChart(kindOf(name), drawn.entries, titles, lines);
  }, [drawn, name, titles, key]);
}

function rangeOfKey(event: KeyboardEvent, range: TimeRange, whole: TimeRange): TimeRange | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return undefined;
  }
  switch (event.key) {
    case "+":
    case "=":
      return zoom(range, whole, 0.5);
    case "-":
      return zoom(range, whole, 2);
    case "ArrowLeft":
      return pan(range, whole, -0.25);
    case "ArrowRight":
      return pan(range, whole, 0.25);
    case "Home":
      return whole;
    default:
      return undefined;
  }
}

/** Which of several values are drawn; there are not more colors. */
function ValueChoice({
  titles,
  shown,
  onShown,
}: {
  titles: readonly string[];
  shown: readonly number[];
  onShown: (next: readonly number[]) => void;
}) {
  return (
    <fieldset className="choices row">
      <legend className="offscreen">Values that are drawn</legend>
      {titles.map((title, at) => {
        const isShown = shown.includes(at);
        const isFull = !isShown && shown.length >= LINES_MAX;
        return (
          <label key={title} className="check" title={isFull ? `At most ${LINES_MAX} at once.` : undefined}>
            <input
              type="checkbox"
              checked={isShown}
              disabled={isFull || (isShown && shown.length === 1)}
              onChange={() =>
                onShown(isShown ? shown.filter((one) => one !== at) : [...shown, at].sort((a, b) => a - b))
              }
            />
            <span>{title}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
