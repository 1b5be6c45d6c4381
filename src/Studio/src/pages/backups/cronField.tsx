import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { getJson } from "../../api/http";
import { formatTime } from "../../ui/format";

const USUAL: readonly (readonly [string, string])[] = [
  ["0 1 * * *", "every night at one"],
  ["0 1 * * 0", "on Sundays at one"],
  ["0 1 * * 1-6", "at one on the other days"],
  ["0 * * * *", "every hour"],
  ["*/15 * * * *", "every quarter of an hour"],
  ["0 1 1 * *", "on the first of each month at one"],
];

interface Occurrence {
  readonly IsValid: boolean;
  readonly ErrorMessage: string | null;
  readonly Utc: string | null;
}

/** Five fields of cron, and when they come true next, as the server reads them. */
export function CronField({
  title,
  value,
  onChange,
}: {
  title: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const list = useId();
  const hint = useId();
  const expression = value.trim();
  const next = useQuery({
    queryKey: ["cron", expression],
    queryFn: ({ signal }) =>
      getJson<Occurrence>("/studio-tasks/next-cron-expression-occurrence", { query: { expression }, signal }),
    enabled: expression !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const wrong = expression !== "" && next.data?.IsValid === false ? (next.data.ErrorMessage ?? "It is no cron.") : "";
  return (
    <label className="field">
      <span>{title}</span>
      <input
        className="mono"
        list={list}
        value={value}
        placeholder="minute hour day month weekday"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={wrong !== ""}
        aria-describedby={hint}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {USUAL.map(([text, words]) => (
          <option key={text} value={text}>
            {words}
          </option>
        ))}
      </datalist>
      <span id={hint} className={wrong === "" ? "hint" : "hint bad"}>
        {expression === "" ? "Not at all." : wrong === "" ? `Next: ${formatTime(next.data?.Utc)}` : wrong}
      </span>
    </label>
  );
}
