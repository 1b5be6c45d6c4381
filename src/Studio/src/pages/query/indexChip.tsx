import type { QueryCheck } from "../../api/types";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatCount } from "../../ui/format";

/** What would answer the query, said before it runs; an index that would be made for it is asked for. */
export function IndexChip({
  check,
  onRunStale,
  onRunWithoutIndex,
}: {
  check: QueryCheck | undefined;
  onRunStale: () => void;
  onRunWithoutIndex: () => void;
}) {
  if (!check) {
    return null;
  }
  if (check.Error) {
    return (
      <Chip tone="bad" title={check.Error.Message}>
        {placedMessage(check.Error)}
      </Chip>
    );
  }
  const index = check.Index;
  if (!index) {
    return null;
  }
  if (index.Kind === "Documents") {
    return <Chip tone="good">needs no index</Chip>;
  }
  if (!index.Exists) {
    return (
      <>
        <Chip tone="info" {...(index.Reason ? { title: index.Reason } : {})}>
          {`would make ${index.Name ?? "an index"}`}
        </Chip>
        <Button kind="quiet" onClick={onRunWithoutIndex}>
          Run without making it
        </Button>
      </>
    );
  }
  return index.IsStale ? (
    <>
      <Chip tone="stale">{`${index.Name} is behind${index.Behind ? ` by ${formatCount(index.Behind)}` : ""}`}</Chip>
      <Button kind="quiet" onClick={onRunStale}>
        Run without waiting
      </Button>
    </>
  ) : (
    <Chip tone="good">{index.Name ?? ""}</Chip>
  );
}

/** An error with its place, which the server's own words mostly begin with. */
export function placedMessage({ Line, Column, Message }: NonNullable<QueryCheck["Error"]>): string {
  const place = `line ${Line}, column ${Column}`;
  return Message.startsWith(place) ? Message : `${place}: ${Message}`;
}
