import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { databasePath, getJson, ServerError, send } from "../../api/http";
import { pollMs } from "../../api/polling";
import type { IndexDefinition, IndexErrors } from "../../api/types";
import { Link } from "../../app/link";
import {
  databasePlace,
  documentUrl,
  placeUrl,
  useDatabase,
  useGo,
  useSearchState,
  useSetSearch,
} from "../../app/places";
import { showError } from "../../app/toasts";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatCount, formatTime, plural } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { replacedName, replacementName } from "./definitionText";
import { IndexMenu } from "./indexActions";
import { IndexEditor } from "./indexEditor";
import { indexState } from "./indexState";
import { Replacement, ReplacementBar, useReplacement } from "./replacement";
import { useIndexStats } from "./useIndexStats";

/** One index, or a new one. */
export function IndexPage() {
  const database = useDatabase();
  const { name = "", new: isNew } = useSearchState();
  return isNew ? (
    <IndexEditor database={database} definition={undefined} />
  ) : (
    <ExistingIndex key={name} database={database} name={name} />
  );
}

function ExistingIndex({ database, name }: { database: string; name: string }) {
  const { tab = "definition" } = useSearchState();
  const setSearch = useSetSearch();
  const go = useGo();
  const stats = useIndexStats(database, name);
  const definition = useQuery({
    queryKey: ["index-definition", database, name],
    queryFn: ({ signal }) =>
      getJson<{ Results: readonly IndexDefinition[] }>(databasePath(database, "indexes"), { query: { name }, signal }),
  });
  const replacement = useReplacement(database, name);
  const list = placeUrl(databasePlace(database, "indexes"));
  if (definition.error) {
    const isGone = definition.error instanceof ServerError && definition.error.status === 404;
    return isGone ? (
      <Empty icon="tree" title={`There is no index ${name}`} action={<Link href={list}>All indexes</Link>} />
    ) : (
      <ErrorBox error={definition.error} onRetry={() => void definition.refetch()} />
    );
  }
  const found = definition.data?.Results[0];
  if (!found) {
    return <Loading what={name} />;
  }
  const one = stats.data?.[0];
  const state = one && indexState(one);
  const fields = Object.keys(found.Fields ?? {});
  const replaced = replacedName(name);
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="mono ellipsis" title={name}>
          {name}
        </h1>
        {state && <Chip tone={state.tone}>{state.word}</Chip>}
        {one && <span className="muted">{plural(one.EntriesCount, "entry", "entries")}</span>}
        <span className="grow" />
        <Link
          className="button quiet"
          href={placeUrl(databasePlace(database, "query"), { q: `from index '${name.replaceAll("'", "''")}'` })}
        >
          Query it
        </Link>
        {one && (
          <IndexMenu database={database} stats={one} onDone={() => void stats.refetch()} onDeleted={() => go(list)} />
        )}
      </div>
      {replaced !== undefined && (
        <p className="row padded">
          <span>
            It is built beside{" "}
            <Link href={placeUrl(databasePlace(database, "index"), { name: replaced, tab: "replacement" })}>
              {replaced}
            </Link>
            , and takes its place when it has caught up.
          </span>
        </p>
      )}
      {replacement && (
        <ReplacementBar
          name={name}
          stats={replacement}
          isShown={tab === "replacement"}
          onShow={() => setSearch({ tab: "replacement" })}
        />
      )}
      <Tabs
        name={`Parts of ${name}`}
        value={tab}
        onChange={(key) => setSearch({ tab: key === "definition" ? undefined : key })}
        entries={[
          {
            key: "definition",
            title: "Definition",
            content: () => <IndexEditor key={JSON.stringify(found)} database={database} definition={found} />,
          },
          {
            key: "errors",
            title: `Errors ${one ? formatCount(one.ErrorsCount) : ""}`.trim(),
            content: () => <Errors database={database} name={name} />,
          },
          ...(replacement || tab === "replacement"
            ? [
                {
                  key: "replacement",
                  title: "Replacement",
                  content: () => (
                    <Replacement
                      key={JSON.stringify(found)}
                      database={database}
                      running={found}
                      name={replacementName(name)}
                      stats={replacement}
                    />
                  ),
                },
              ]
            : []),
          { key: "terms", title: "Terms", content: () => <Terms database={database} name={name} fields={fields} /> },
        ]}
      />
    </div>
  );
}

function Errors({ database, name }: { database: string; name: string }) {
  const errors = useQuery({
    queryKey: ["index-errors", database, name],
    queryFn: ({ signal }) =>
      getJson<{ Results: readonly IndexErrors[] }>(databasePath(database, "indexes/errors"), {
        query: { name },
        signal,
      }),
    refetchInterval: (query) => pollMs(query.state.error, 5_000),
  });
  if (errors.error) {
    return <ErrorBox error={errors.error} onRetry={() => void errors.refetch()} />;
  }
  if (!errors.data) {
    return <Loading what="the errors" />;
  }
  const list = errors.data.Results[0]?.Errors ?? [];
  if (list.length === 0) {
    return (
      <Empty icon="check" title="No errors">
        Every document was taken.
      </Empty>
    );
  }
  const forget = () => {
    send("DELETE", databasePath(database, "indexes/errors"), { query: { name } })
      .catch((error: unknown) => showError("The errors were not forgotten", error))
      .finally(() => void errors.refetch());
  };
  return (
    <section className="scroll" aria-label="Errors" tabIndex={0}>
      <div className="row padded">
        <Button icon="trash" onClick={forget}>
          Forget them
        </Button>
      </div>
      <table className="plain-table roomy">
        <thead>
          <tr>
            <th>When</th>
            <th>Document</th>
            <th>In</th>
            <th>Error</th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={`${one.Timestamp} ${one.Document} ${one.Error}`}>
              <td className="nowrap">{formatTime(one.Timestamp)}</td>
              <td>{one.Document ? <Link href={documentUrl(database, one.Document)}>{one.Document}</Link> : ""}</td>
              <td>{one.Action}</td>
              <td className="break">{one.Error}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const TERMS_PAGE = 100;

function Terms({ database, name, fields }: { database: string; name: string; fields: readonly string[] }) {
  const { field = fields[0] ?? "" } = useSearchState();
  const setSearch = useSetSearch();
  const terms = useInfiniteQuery({
    queryKey: ["index-terms", database, name, field],
    queryFn: ({ signal, pageParam }) =>
      getJson<{ Terms: readonly string[] }>(databasePath(database, "indexes/terms"), {
        query: { name, field, pageSize: TERMS_PAGE, fromValue: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.Terms.length < TERMS_PAGE ? undefined : last.Terms[last.Terms.length - 1]),
    enabled: field !== "",
    retry: false,
  });
  const all = terms.data?.pages.flatMap((page) => page.Terms) ?? [];
  return (
    <section className="scroll" aria-label="Terms" tabIndex={0}>
      <div className="row padded">
        <label className="field inline">
          <span>Field</span>
          <input
            list="index-fields"
            defaultValue={field}
            spellCheck={false}
            onChange={(event) => setSearch({ field: event.target.value })}
          />
        </label>
        <datalist id="index-fields">
          {fields.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      {terms.error && <ErrorBox error={terms.error} onRetry={() => void terms.refetch()} />}
      {field === "" && <p className="muted padded">Name a field of the index.</p>}
      {terms.data && all.length === 0 && <p className="muted padded">This field has no terms.</p>}
      <ul className="terms mono">
        {all.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      {terms.hasNextPage && (
        <div className="row padded">
          <Button isBusy={terms.isFetchingNextPage} onClick={() => void terms.fetchNextPage()}>
            More
          </Button>
        </div>
      )}
    </section>
  );
}
