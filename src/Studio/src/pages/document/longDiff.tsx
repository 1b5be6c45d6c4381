import { useEffect, useState } from "react";
import { runJob } from "../../json/jsonWork";
import type { TextDiff } from "../../json/lineDiff";
import { formatCount } from "../../ui/format";
import { ErrorBox, Loading } from "../../ui/states";

const MARKS: Readonly<Record<string, string>> = { "+": "diff-added", "-": "diff-removed" };

/** Two versions of a long text: the lines that differ, and some around them. The worker compares. */
export function LongDiff({ name, before, after }: { name: string; before: string; after: string }) {
  const [diff, setDiff] = useState<TextDiff>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isNow = true;
    setDiff(undefined);
    setError(undefined);
    runJob("diff", before, after)
      .then((found) => isNow && setDiff(found))
      .catch((failure: unknown) => isNow && setError(failure));
    return () => {
      isNow = false;
    };
  }, [before, after]);
  if (error !== undefined) {
    return <ErrorBox title="They cannot be compared" error={error} />;
  }
  if (!diff) {
    return <Loading what="the difference" />;
  }
  return (
    <section className="scroll mono long-diff" aria-label={name} tabIndex={0}>
      {diff.hunks.length === 0 && <p className="muted padded">They are alike.</p>}
      {diff.hunks.map((hunk) => (
        <div key={hunk.before}>
          <p className="muted">{`line ${formatCount(hunk.before)} before, ${formatCount(hunk.after)} after`}</p>
          {hunk.lines.map((line, at) => (
            <div key={at} className={MARKS[line.charAt(0)]}>
              {line}
            </div>
          ))}
        </div>
      ))}
      {diff.cutLines > 0 && <p className="muted padded">{`${formatCount(diff.cutLines)} more lines differ.`}</p>}
    </section>
  );
}
