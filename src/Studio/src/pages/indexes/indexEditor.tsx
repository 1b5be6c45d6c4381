import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { databasePath, send } from "../../api/http";
import type { IndexDefinition } from "../../api/types";
import { announce } from "../../app/announcer";
import { lazyPart } from "../../app/lazyPart";
import { databasePlace, placeUrl, useGo } from "../../app/places";
import { Button } from "../../ui/button";
import { ErrorBox, Loading } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import { definitionText } from "./definitionText";

const ScriptEditor = lazyPart(() => import("../../editor/scriptEditor").then((module) => module.ScriptEditor));
const DiffView = lazyPart(() => import("../../editor/diffView").then((module) => module.DiffView));

/** On the tints of what went and came, colors of words would be too faint. */
const NO_COLORS: readonly never[] = [];

const FIRST_MAP = 'map("Orders", order => ({\n  Company: order.Company,\n  Freight: order.Freight\n}))';

/** The maps and the reduce of an index, or of a new one. A changed index is built beside the old one, which answers until then. */
export function IndexEditor({ database, definition }: { database: string; definition: IndexDefinition | undefined }) {
  const client = useQueryClient();
  const go = useGo();
  const [name, setName] = useState(definition?.Name ?? "");
  const [maps, setMaps] = useState<readonly string[]>(definition?.Maps ?? [FIRST_MAP]);
  const [reduce, setReduce] = useState(definition?.Reduce ?? "");
  const { isBusy, error, run, dismiss } = useTask();
  const [isCompared, setCompared] = useState(false);
  const isAuto = definition?.Type.startsWith("Auto") ?? false;
  const isChanged =
    !definition || maps.join("\0") !== definition.Maps.join("\0") || reduce !== (definition.Reduce ?? "");
  const save = async () => {
    if (!isBusy && name !== "" && isChanged && !isAuto) {
      await run(async () => {
        const written = {
          ...definition,
          Name: name,
          Maps: maps.filter((map) => map.trim() !== ""),
          Reduce: reduce.trim() === "" ? null : reduce,
        };
        await send("PUT", databasePath(database, "admin/indexes"), { body: { Indexes: [written] } });
        announce(`${name} is stored and being built.`);
        await client.invalidateQueries({ queryKey: ["index-definition", database] });
        if (!definition) {
          go(placeUrl(databasePlace(database, "index"), { name }));
        }
      });
    }
  };
  const refusal = isAuto
    ? "The server made this index of queries: it changes with them."
    : name === ""
      ? "Give it a name first."
      : isChanged
        ? undefined
        : "Nothing is changed.";
  return (
    <div className="page">
      <div className="page-head">
        {!definition && (
          <>
            <h1>New index</h1>
            <label className="field inline">
              <span>Name</span>
              <input
                className="mono"
                value={name}
                spellCheck={false}
                onChange={(event) => setName(event.target.value)}
              />
            </label>
          </>
        )}
        <span className="hint">
          {isAuto ? refusal : "JavaScript or C#. A changed index is built beside the old one."}
        </span>
        <span className="grow" />
        {!isAuto && (
          <>
            {definition && (
              <Button
                icon="compare"
                aria-pressed={isCompared}
                refusal={isChanged || isCompared ? undefined : "Nothing is changed."}
                onClick={() => setCompared(!isCompared)}
              >
                {isCompared ? "Edit" : "Compare with what runs"}
              </Button>
            )}
            <Button kind="quiet" icon="plus" onClick={() => setMaps([...maps, ""])}>
              Map
            </Button>
            <Button
              kind="primary"
              icon="save"
              keys="Ctrl S"
              isBusy={isBusy}
              refusal={refusal}
              onClick={() => void save()}
            >
              Save
            </Button>
          </>
        )}
      </div>
      {error !== undefined && <ErrorBox title="It was not stored" error={error} onDismiss={dismiss} />}
      {isCompared && definition && (
        <div className="comparison">
          <Suspense fallback={<Loading what="the difference" />}>
            <DiffView
              language={NO_COLORS}
              name={`What would change of ${name}`}
              before={definitionText(definition)}
              after={definitionText({ ...definition, Maps: maps.filter((map) => map.trim() !== ""), Reduce: reduce })}
            />
          </Suspense>
        </div>
      )}
      <div className="scroll padded index-scripts" hidden={isCompared}>
        <Suspense fallback={<Loading what="the editor" />}>
          {maps.map((map, at) => (
            <section key={at} aria-label={`Map ${at + 1}`}>
              <h2>{maps.length === 1 ? "Map" : `Map ${at + 1}`}</h2>
              <ScriptEditor
                name={`Map ${at + 1}`}
                initial={map}
                isReadOnly={isAuto}
                onChange={(text) => setMaps((now) => now.map((one, index) => (index === at ? text : one)))}
                onSave={() => void save()}
              />
            </section>
          ))}
          {!isAuto && (
            <section aria-label="Reduce">
              <h2>Reduce</h2>
              <ScriptEditor
                name="Reduce"
                initial={reduce}
                isReadOnly={false}
                onChange={setReduce}
                onSave={() => void save()}
              />
            </section>
          )}
        </Suspense>
      </div>
    </div>
  );
}
