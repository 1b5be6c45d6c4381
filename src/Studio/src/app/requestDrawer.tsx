import { useSyncExternalStore } from "react";
import { asCurl } from "../api/copyAs";
import { loggedRequests, watchRequests } from "../api/requestLog";
import { CopyButton } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { formatBytes, formatDuration } from "../ui/format";

/** Every request that this page has made, the newest first; each can be copied as a call of curl. */
export function RequestDrawer({ onClose }: { onClose: () => void }) {
  const requests = useSyncExternalStore(watchRequests, loggedRequests);
  return (
    <Dialog title="Requests of this page" isOpen onClose={onClose} wide>
      <section className="scroll" aria-label="Requests" tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>Request</th>
              <th>Answer</th>
              <th className="number">Time</th>
              <th className="number">Length</th>
              <th>
                <span className="offscreen">Copy</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {requests.map((one) => (
              <tr key={one.id}>
                <td className="mono break">
                  {one.method} {one.url}
                </td>
                <td>{one.status === undefined ? "runs" : one.status === 0 ? "none" : one.status}</td>
                <td className="number">{one.status === undefined ? "" : formatDuration(one.durationMs)}</td>
                <td className="number">{one.status === undefined ? "" : formatBytes(one.length)}</td>
                <td>
                  <CopyButton text={() => asCurl({ ...one, url: new URL(one.url, window.location.origin).href })}>
                    curl
                  </CopyButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialog>
  );
}
