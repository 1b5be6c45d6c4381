import { Button } from "./button";
import { formatCount } from "./format";

/** Goes through a list page by page, if it has more than one. */
export function Pager({
  start,
  size,
  shown,
  total,
  hasMore = total !== undefined && start + shown < total,
  onStart,
}: {
  /** How many come before the page. */
  start: number;
  /** How many a page has. */
  size: number;
  /** How many are on this one. */
  shown: number;
  /** How many there are, if that is known. */
  total?: number;
  hasMore?: boolean;
  /** Gets the start of another page; undefined for the first. */
  onStart: (start: string | undefined) => void;
}) {
  if (start === 0 && !hasMore) {
    return null;
  }
  return (
    <div className="row pager">
      <Button
        refusal={start === 0 ? "These are the first." : undefined}
        onClick={() => onStart(start > size ? String(start - size) : undefined)}
      >
        Before
      </Button>
      <span className="muted">
        {shown > 0 && `${formatCount(start + 1)} to ${formatCount(start + shown)}`}
        {total !== undefined && ` of ${formatCount(total)}`}
      </span>
      <Button refusal={hasMore ? undefined : "These are the last."} onClick={() => onStart(String(start + size))}>
        Next
      </Button>
    </div>
  );
}
