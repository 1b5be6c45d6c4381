import type { PartProps } from "../document/partsNavigation";

export function TimeSeriesPart({ parts }: PartProps) {
  return <p>{parts.id}</p>;
}
