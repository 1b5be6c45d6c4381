import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { databasePath, getJson, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { Confirm } from "../../ui/dialog";
import { FilterInput } from "../../ui/filterInput";
import { formatCount } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { ErrorBox, Loading } from "../../ui/states";
import { SettingDialog } from "./settingDialog";
import {
  areSame,
  databaseSettings,
  isOfSettingsFilter,
  type SettingRow,
  type SettingsReport,
  settingRows,
  withSetting,
} from "./settingsModel";

/** The settings of a database: what is set, where it is from, and what it is without. */
export function SettingsPage() {
  const database = useDatabase();
  const { show = "all", filter = "" } = useSearchState();
  const setSearch = useSetSearch();
  const [open, setOpen] = useState<
    { what: "edit"; row: SettingRow | undefined } | { what: "remove"; row: SettingRow }
  >();
  const [isChanged, setChanged] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const path = databasePath(database, "admin/configuration/settings");
  const report = useQuery({
    queryKey: ["settings", database],
    queryFn: ({ signal }) => getJson<SettingsReport>(path, { signal }),
  });
  if (report.isPending) {
    return <Loading what="the settings" />;
  }
  if (!report.data) {
    return <ErrorBox title="The settings cannot be read" error={report.error} onRetry={() => void report.refetch()} />;
  }
  const rows = settingRows(report.data);
  const shown = rows.filter((row) => isOfSettingsFilter(row, show, filter));
  const seen = databaseSettings(report.data);
  const change = async (name: string, value: string | undefined) => {
    // They are replaced as a whole: what another has changed since would be lost.
    const now = databaseSettings(await getJson<SettingsReport>(path, { query: { scope: "Database" } }));
    if (!areSame(now, seen)) {
      await report.refetch();
      throw new Error("The settings were changed by somebody else since. They are read again: look, then save again.");
    }
    await send("PUT", path, { body: withSetting(now, name, value), isSecret: true });
    setChanged(true);
    announce(`${name} is ${value === undefined ? "taken out" : "set"}.`);
    await report.refetch();
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Settings</h1>
        <Segments
          name="Which"
          choices={[
            ["all", "all"],
            ["database", "of the database"],
            ["set", "not default"],
          ].map(([key = "", title]) => ({
            key,
            title: `${title} ${formatCount(rows.filter((row) => isOfSettingsFilter(row, key, "")).length)}`,
          }))}
          chosen={show}
          onChoose={(key) => setSearch({ show: key === "all" ? undefined : key })}
        />
        <span className="grow" />
        <FilterInput name="Filter by name or words" initial={filter} onChange={(text) => setSearch({ filter: text })} />
        <Button icon="refresh" onClick={() => setAsked(true)}>
          Restart…
        </Button>
        <Button kind="primary" icon="plus" onClick={() => setOpen({ what: "edit", row: undefined })}>
          Set
        </Button>
      </div>
      {isChanged && (
        <div className="bar" role="status">
          <span>Settings count when the database is opened: restart it, or wait until it is opened next.</span>
          <span className="grow" />
          <Button kind="quiet" icon="close" onClick={() => setChanged(false)}>
            Dismiss
          </Button>
        </div>
      )}
      {report.error && <ErrorBox error={report.error} onRetry={() => void report.refetch()} />}
      <section className="scroll" aria-label="Settings" tabIndex={0}>
        <table className="plain-table roomy">
          <thead>
            <tr>
              <th>Name</th>
              <th>Value</th>
              <th>From</th>
              <th>Default</th>
              <th>What it does</th>
              <th>
                <span className="offscreen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={`${row.source} ${row.name}`}>
                <th scope="row" className="mono break setting-name">
                  {row.name}
                </th>
                <td className="mono break">
                  {row.isSecret ? (
                    <Chip tone="info" icon="lock" title="The server shows it to nobody.">
                      a secret
                    </Chip>
                  ) : (
                    row.value || <span className="muted">empty</span>
                  )}
                </td>
                <td>
                  <SourceChip row={row} />
                </td>
                <td className="mono break muted">{row.usual || "–"}</td>
                <td className="muted">{row.description}</td>
                <td className="actions nowrap">
                  {row.isOfDatabase && (
                    <>
                      <Button aria-label={`Change ${row.name}`} onClick={() => setOpen({ what: "edit", row })}>
                        Change
                      </Button>{" "}
                      <Button
                        kind="danger"
                        icon="trash"
                        aria-label={`Take ${row.name} out`}
                        onClick={() => setOpen({ what: "remove", row })}
                      />
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p className="muted padded">No setting is like that.</p>}
        <p className="hint padded">
          Settings of the server are in its own configuration, its environment or its command line: no page changes
          them.
        </p>
      </section>
      {open?.what === "edit" && (
        <SettingDialog row={open.row} names={rows} onClose={() => setOpen(undefined)} onSave={change} />
      )}
      {open?.what === "remove" && (
        <Confirm
          title={`Take ${open.row.name} out`}
          isOpen
          first={
            open.row.isSecret
              ? "Its secret is forgotten: to set it again it has to be entered."
              : `Its value ${open.row.value} is gone; the server's counts then.`
          }
          action="Take it out"
          onClose={() => setOpen(undefined)}
          onConfirm={() => change(open.row.name, undefined)}
        />
      )}
      <Confirm
        title={`Restart ${database}`}
        isOpen={isAsked}
        first="The database closes, and its next use opens it with its settings of now. Who reads or writes just then waits."
        action="Restart it"
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await send("POST", databasePath(database, "admin/restart"));
          setChanged(false);
          announce(`${database} is restarted.`);
        }}
      />
    </div>
  );
}

function SourceChip({ row }: { row: SettingRow }) {
  switch (row.source) {
    case "database":
      return (
        <Chip tone="good" icon="database">
          database
        </Chip>
      );
    case "server":
      return (
        <Chip tone="info" icon="settings">
          server
        </Chip>
      );
    default:
      return <span className="muted">default</span>;
  }
}
