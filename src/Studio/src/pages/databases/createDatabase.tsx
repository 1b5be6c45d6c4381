import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { databasePath, getJson, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { useMay } from "../../app/pages";
import { databasePlace, placeUrl, useGo } from "../../app/places";
import { Button } from "../../ui/button";
import { ErrorBox } from "../../ui/states";
import { type ClusterHealth, factorChoices, factorSaid } from "../cluster/clusterModel";
import { nameRefusal } from "./databaseName";

/** Makes a database, with sample data if wanted, and goes there. */
export function CreateDatabase() {
  const [name, setName] = useState("");
  const [withSample, setSample] = useState(true);
  const [stage, setStage] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isMade, setMade] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const client = useQueryClient();
  const go = useGo();
  const hint = useId();
  const field = useRef<HTMLInputElement>(null);
  // How many nodes there are for it: one that may make no database is told that when it tries.
  const cluster = useQuery({
    queryKey: ["cluster", "nodes"],
    queryFn: ({ signal }) => getJson<ClusterHealth>("/admin/cluster/health", { query: { pageSize: 0 }, signal }),
    enabled: useMay("GET /admin/cluster/health"),
    retry: false,
  });
  const isClustered = cluster.data?.IsClustered === true;
  const factors = factorChoices(cluster.data);
  const factor = chosen ?? factors.proposed;
  const wrong = name === "" ? undefined : nameRefusal(name);
  // It is all that there is to do here.
  useEffect(() => field.current?.focus(), []);
  const create = async () => {
    setError(undefined);
    try {
      if (!isMade) {
        setStage("Making the database…");
        await send("PUT", "/admin/databases", {
          query: { name, replicationFactor: isClustered ? factor : undefined },
          body: { DatabaseName: name },
        });
        setMade(true);
      }
      if (withSample) {
        setStage("Writing the sample data…");
        await send("POST", databasePath(name, "studio/sample-data"));
      }
      await client.invalidateQueries({ queryKey: ["databases"] });
      announce(`${name} is made.`);
      go(placeUrl(databasePlace(name)));
    } catch (failure) {
      setError(failure);
    } finally {
      setStage(undefined);
    }
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== "" && wrong === undefined && stage === undefined) {
          void create();
        }
      }}
    >
      <label className="field">
        <span>Name</span>
        <input
          ref={field}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setMade(false);
          }}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={wrong !== undefined}
          aria-describedby={hint}
          required
        />
      </label>
      <p id={hint} className={wrong ? "hint bad" : "hint"}>
        {wrong ?? "Letters, digits, and - _ . between them."}
      </p>
      {isClustered && (
        <label className="field">
          <span>On how many nodes</span>
          <select value={factor} onChange={(event) => setChosen(Number(event.target.value))}>
            {factors.all.map((one) => (
              <option key={one} value={one}>
                {factorSaid(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="check">
        <input type="checkbox" checked={withSample} onChange={(event) => setSample(event.target.checked)} />
        <span>with sample data: companies, orders, products</span>
      </label>
      {error !== undefined && (
        <ErrorBox
          title={isMade ? "The database is made, its sample data is not" : "The database was not made"}
          error={error}
        />
      )}
      <div className="row">
        <Button
          kind="primary"
          type="submit"
          isBusy={stage !== undefined}
          refusal={name === "" ? "Give it a name first." : wrong}
        >
          {stage ?? (isMade && error !== undefined ? "Try the sample data again" : "Create")}
        </Button>
      </div>
    </form>
  );
}
