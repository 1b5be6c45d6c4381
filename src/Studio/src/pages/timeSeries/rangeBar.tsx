import { useEffect, useState } from "react";
import type { TimeRange } from "../../api/timeSeries";
import { Button, IconButton } from "../../ui/button";
import { isWhole, pan, readTime, timeText, zoom } from "./seriesModel";

/** The range that is shown, as times to be typed and buttons that narrow, widen and move it. */
export function RangeBar({
  range,
  whole,
  onRange,
}: {
  range: TimeRange;
  whole: TimeRange;
  onRange: (range: TimeRange) => void;
}) {
  const [texts, setTexts] = useState({ from: "", to: "" });
  useEffect(() => setTexts({ from: timeText(range.from), to: timeText(range.to) }), [range.from, range.to]);
  const from = readTime(texts.from);
  const to = readTime(texts.to);
  const isAll = isWhole(range, whole);
  const refusal =
    from === undefined || to === undefined
      ? "Times are written as 2026-01-31 10:00:00Z."
      : from > to
        ? "It ends before it begins."
        : undefined;
  const all = isAll ? "All of the series is shown." : undefined;
  return (
    <form
      className="range-bar"
      aria-label="Range"
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === undefined && from !== undefined && to !== undefined) {
          onRange({ from, to });
        }
      }}
    >
      <label className="field inline">
        <span>From</span>
        <input
          className="mono"
          size={24}
          value={texts.from}
          aria-invalid={from === undefined}
          onChange={(event) => setTexts({ ...texts, from: event.target.value })}
        />
      </label>
      <label className="field inline">
        <span>to</span>
        <input
          className="mono"
          size={24}
          value={texts.to}
          aria-invalid={to === undefined || (from !== undefined && from > to)}
          onChange={(event) => setTexts({ ...texts, to: event.target.value })}
        />
      </label>
      <Button type="submit" refusal={refusal}>
        Show
      </Button>
      <span className="row">
        <IconButton
          kind="plain"
          name="Earlier"
          icon="chevronLeft"
          refusal={all}
          onClick={() => onRange(pan(range, whole, -0.5))}
        />
        <IconButton
          kind="plain"
          name="Later"
          icon="chevronRight"
          refusal={all}
          onClick={() => onRange(pan(range, whole, 0.5))}
        />
        <IconButton
          kind="plain"
          name="Narrow the range"
          icon="zoomIn"
          onClick={() => onRange(zoom(range, whole, 0.5))}
        />
        <IconButton
          kind="plain"
          name="Widen the range"
          icon="zoomOut"
          refusal={all}
          onClick={() => onRange(zoom(range, whole, 2))}
        />
        <Button refusal={all} onClick={() => onRange(whole)}>
          All
        </Button>
      </span>
    </form>
  );
}
