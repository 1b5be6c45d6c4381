import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { watchChanges } from "../../api/changes";
import { type Counter, changeCounter, readCounters } from "../../api/counters";
import { announce } from "../../app/announcer";
import { useSearchState, useSetSearch } from "../../app/places";
import { showError } from "../../app/toasts";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { FilterInput } from "../../ui/filterInput";
import { formatCount, plural } from "../../ui/format";
import { Menu } from "../../ui/menu";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import type { PartProps } from "../document/partsNavigation";
import { CounterDialog } from "./counterDialog";
import { groupDigits } from "./wholeNumber";

/** More rows are not drawn: the filter finds the others. */
const SHOWN_MAX = 500;

/** The counters of a document, as they are now; adding to one never conflicts. */
export function CountersPart({ database, parts, onChanged }: PartProps) {
  const { id } = parts;
  const { filter = "" } = useSearchState();
  const setSearch = useSetSearch();
  const [changed, setChanged] = useState<Counter | "new">();
  const [deleted, setDeleted] = useState<string>();
  const counters = useQuery({
    queryKey: ["counters", database, id],
    queryFn: ({ signal }) => readCounters(database, id, signal),
    staleTime: 0,
    retry: false,
  });
  const { refetch } = counters;
  useEffect(() => watchChanges(database, "watch-document-counters", id, () => void refetch()), [database, id, refetch]);
  const refresh = async () => {
    await Promise.all([refetch(), onChanged()]);
  };
  const add = (name: string, amount: string) => {
    changeCounter(database, id, { type: "Increment", name, amount })
      .then(() => refetch())
      .then(({ data }) => announce(`${name} is ${data?.find((one) => one.name === name)?.value ?? "gone"}.`))
      .catch((error: unknown) => showError(`${name} was not changed`, error));
  };
  const all = counters.data ?? [];
  const found = all.filter((one) => one.name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <section className="page" aria-label="Counters">
      <div className="page-head">
        <h1 className="mono ellipsis" title={id}>
          {id}
        </h1>
        <span className="muted">{counters.data ? plural(all.length, "counter") : ""}</span>
        <span className="grow" />
        <FilterInput initial={filter} onChange={(text) => setSearch({ filter: text })} />
        <Button kind="primary" icon="plus" onClick={() => setChanged("new")}>
          New counter
        </Button>
      </div>
      {counters.error && (
        <ErrorBox title="The counters cannot be read" error={counters.error} onRetry={() => void refetch()} />
      )}
      {counters.isPending && <Loading what="the counters" />}
      {counters.data && all.length === 0 && (
        <Empty icon="plus" title="It has no counters">
          A counter is a number that many may add to at once, such as likes, without a conflict.
        </Empty>
      )}
      {all.length > 0 && found.length === 0 && <Empty icon="filter" title="No counter is called so" />}
      {found.length > 0 && (
        <section className="scroll" aria-label="List of counters" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>Name</th>
                <th className="number">Value</th>
                <th>
                  <span className="offscreen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, SHOWN_MAX).map((one) => (
                <tr key={one.name}>
                  <th scope="row" className="break">
                    {one.name}
                  </th>
                  <td className="number mono" title={sharesText(one)}>
                    {groupDigits(one.value)}
                  </td>
                  <td className="actions nowrap">
                    <IconButton name={`One less of ${one.name}`} icon="minus" onClick={() => add(one.name, "-1")} />
                    <IconButton name={`One more of ${one.name}`} icon="plus" onClick={() => add(one.name, "1")} />
                    <Menu
                      name={`Actions of ${one.name}`}
                      entries={[
                        { text: "Change…", icon: "settings", onSelect: () => setChanged(one) },
                        { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => setDeleted(one.name) },
                      ]}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {found.length > SHOWN_MAX && (
            <p className="muted padded">
              {formatCount(found.length - SHOWN_MAX)} more are not shown: the filter finds them.
            </p>
          )}
        </section>
      )}
      {changed && (
        <CounterDialog
          database={database}
          id={id}
          counter={changed === "new" ? undefined : changed}
          onClose={() => setChanged(undefined)}
          onDone={() => void refresh()}
        />
      )}
      <Confirm
        title={`Delete ${deleted ?? ""}`}
        isOpen={deleted !== undefined}
        first="The counter is deleted, and with it what was counted: there is no way back."
        action="Delete it"
        onClose={() => setDeleted(undefined)}
        onConfirm={async () => {
          await changeCounter(database, id, { type: "Delete", name: deleted ?? "" });
          announce(`${deleted} is deleted.`);
          await refresh();
        }}
      />
    </section>
  );
}

function sharesText({ shares }: Counter): string | undefined {
  return shares.length > 1
    ? shares.map((share) => `${groupDigits(share.value)} by database ${share.database}`).join("\n")
    : undefined;
}
