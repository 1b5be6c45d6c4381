import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getJson, send } from "../../api/http";
import { pollMs } from "../../api/polling";
import { announce } from "../../app/announcer";
import { showError } from "../../app/toasts";
import { Button } from "../../ui/button";
import { formatCount, formatDuration } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";

interface RunningRequest {
  readonly Id: number;
  readonly Method: string;
  readonly Path: string;
  readonly Query: string | null;
  readonly Detail: string | null;
  readonly Milliseconds: number;
}

/** The requests that a server works on now, the longest first; each can be ended. */
export function RunningPage() {
  const [isPaused, setPaused] = useState(false);
  const running = useQuery({
    queryKey: ["running"],
    queryFn: ({ signal }) => getJson<{ Results: readonly RunningRequest[] }>("/admin/requests/running", { signal }),
    refetchInterval: (query) => (isPaused ? false : pollMs(query.state.error, 2_000)),
  });
  if (running.isPending) {
    return <Loading what="the requests" />;
  }
  if (!running.data) {
    return (
      <ErrorBox title="The requests cannot be listed" error={running.error} onRetry={() => void running.refetch()} />
    );
  }
  // The request that lists them is one of them.
  const all = running.data.Results.filter((one) => one.Path !== "/admin/requests/running");
  const rows = [...all].sort((a, b) => b.Milliseconds - a.Milliseconds);
  const kill = (id: number) => {
    send("POST", "/admin/requests/kill", { query: { id } })
      .then(() => announce(`Request ${id} is ended.`))
      .catch((error: unknown) => showError(`Request ${id} was not ended`, error))
      .finally(() => void running.refetch());
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Running requests</h1>
        <span className="muted">{formatCount(rows.length)}</span>
        <span className="grow" />
        <Button icon={isPaused ? "play" : "pause"} onClick={() => setPaused(!isPaused)}>
          {isPaused ? "Go on" : "Pause"}
        </Button>
      </div>
      {running.error && <ErrorBox error={running.error} onRetry={() => void running.refetch()} />}
      {rows.length === 0 ? (
        <Empty icon="check" title="Nothing runs now">
          Requests that take long stand here while they do.
        </Empty>
      ) : (
        <section className="scroll" aria-label="Requests" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th className="number">For</th>
                <th>Request</th>
                <th>What</th>
                <th>
                  <span className="offscreen">End it</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, 500).map((one) => (
                <tr key={one.Id}>
                  <td className="number nowrap">{formatDuration(one.Milliseconds)}</td>
                  <td className="mono break">{`${one.Method} ${one.Path}${one.Query ?? ""}`}</td>
                  <td className="mono break">{one.Detail ?? ""}</td>
                  <td className="actions">
                    <Button kind="danger" icon="stop" aria-label={`End request ${one.Id}`} onClick={() => kill(one.Id)}>
                      End
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
