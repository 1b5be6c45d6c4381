import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { databasePath, getJson } from "../../api/http";
import type { IndexDefinition, IndexStats } from "../../api/types";
import { announce } from "../../app/announcer";
import { lazyPart } from "../../app/lazyPart";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatCount, plural } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { definitionText, replacementName } from "./definitionText";
import { indexState, lagOf } from "./indexState";
import { useIndexStats } from "./useIndexStats";

const DiffView = lazyPart(() => import("../../editor/diffView").then((module) => module.DiffView));

/** On the tints of what went and came, colors of words would be too faint. */
const NO_COLORS: readonly never[] = [];

/** What is built beside an index, if anything is; says it when it has taken its place. */
export function useReplacement(database: string, name: string): IndexStats | undefined {
  const client = useQueryClient();
  const all = useIndexStats(database);
  const wanted = replacementName(name);
  const found = all.data?.find((one) => one.Name === wanted);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && all.data && !found) {
      announce(`${name} is replaced.`);
      void client.invalidateQueries({ queryKey: ["index-definition", database] });
    }
    was.current = found !== undefined;
  }, [all.data, found, client, database, name]);
  return found;
}

/** Says that a replacement is being built, and how far it is. */
export function ReplacementBar({
  name,
  stats,
  isShown,
  onShow,
}: {
  name: string;
  stats: IndexStats;
  isShown: boolean;
  onShow: () => void;
}) {
  const { tone, word } = indexState(stats);
  return (
    <div className="bar" role="status">
      <span>
        Another definition of <strong className="break">{name}</strong> is built beside it; this one answers until then.
      </span>
      <Chip tone={tone}>{word}</Chip>
      <span className="grow" />
      {!isShown && (
        <Button icon="compare" onClick={onShow}>
          Compare
        </Button>
      )}
    </div>
  );
}

/** What runs beside what is built, and the difference of their definitions. */
export function Replacement({
  database,
  running,
  name,
  stats,
}: {
  database: string;
  running: IndexDefinition;
  name: string;
  stats: IndexStats | undefined;
}) {
  const definition = useQuery({
    queryKey: ["index-definition", database, name],
    queryFn: ({ signal }) =>
      getJson<{ Results: readonly IndexDefinition[] }>(databasePath(database, "indexes"), { query: { name }, signal }),
    enabled: stats !== undefined,
    retry: false,
  });
  if (!stats) {
    return (
      <Empty icon="check" title="Nothing is built beside it">
        A changed definition is built beside the index that runs, and takes its place when it has caught up.
      </Empty>
    );
  }
  if (definition.error) {
    return <ErrorBox error={definition.error} onRetry={() => void definition.refetch()} />;
  }
  const built = definition.data?.Results[0];
  if (!built) {
    return <Loading what="the replacement" />;
  }
  return (
    <div className="page">
      <dl className="facts">
        <dt>Behind</dt>
        <dd>{plural(lagOf(stats), "change")}</dd>
        <dt>Entries</dt>
        <dd>{formatCount(stats.EntriesCount)}</dd>
        <dt>Errors</dt>
        <dd className={stats.ErrorsCount > 0 ? "bad" : ""}>{formatCount(stats.ErrorsCount)}</dd>
      </dl>
      <div className="comparison">
        <Suspense fallback={<Loading what="the difference" />}>
          <DiffView
            language={NO_COLORS}
            name="What runs, and what is built"
            before={definitionText(running)}
            after={definitionText(built)}
          />
        </Suspense>
      </div>
    </div>
  );
}
