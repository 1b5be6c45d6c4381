import { useId } from "react";

/** When an identity ends. */
export function EndFields({
  value,
  wrong,
  canBeEndless,
  onChange,
}: {
  value: { choice: string; day: string };
  wrong: string | undefined;
  canBeEndless: boolean;
  onChange: (value: { choice: string; day: string }) => void;
}) {
  const hint = useId();
  return (
    <div className="fields">
      <label className="field">
        <span>Ends</span>
        <select value={value.choice} onChange={(event) => onChange({ ...value, choice: event.target.value })}>
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
          <option value="1826">in five years</option>
          <option value="day">on a day</option>
          {canBeEndless && <option value="never">never</option>}
        </select>
      </label>
      {value.choice === "day" && (
        <label className="field">
          <span>Day (UTC)</span>
          <input
            value={value.day}
            placeholder="2030-01-31"
            aria-invalid={wrong !== undefined}
            aria-describedby={hint}
            onChange={(event) => onChange({ ...value, day: event.target.value })}
          />
          <span id={hint} className={wrong ? "hint bad" : "hint"}>
            {wrong ?? "It ends as this day begins."}
          </span>
        </label>
      )}
    </div>
  );
}
