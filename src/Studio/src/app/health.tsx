import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ServerError, send, watchSilence } from "../api/http";
import { Chip } from "../ui/chip";

/** The hash of the files that this page is of, as the server names it; none where Vite serves them. */
const own = /\/studio\/a\/([^/]+)\//.exec(import.meta.url)?.[1];

/** Whether the server answers, and has the files that this page is of. */
export function Health() {
  const health = useQuery({
    queryKey: ["healthz"],
    queryFn: ({ signal }) => send("GET", "/healthz", { signal }),
    refetchInterval: ({ state }) => (state.error ? 3_000 : 30_000),
    retry: false,
  });
  const { refetch } = health;
  // A request without an answer is the first sign; the request of this chip itself is one, too.
  useEffect(() => watchSilence(() => void refetch({ cancelRefetch: false })), [refetch]);
  const files = useQuery({
    queryKey: ["studio"],
    queryFn: ({ signal }) => send("HEAD", "/studio/", { signal }),
    refetchInterval: 30_000,
    retry: false,
  });
  if (health.isPending) {
    return null;
  }
  if (health.error) {
    const isDown = !(health.error instanceof ServerError) || health.error.status === 0;
    return (
      <Chip tone="bad" title={health.error.message}>
        {isDown ? "no answer" : "not well"}
      </Chip>
    );
  }
  const served = files.data?.headers.get("Raven-Studio");
  if (own && served && own !== served) {
    return (
      <Chip tone="stale" title="The server has another version of this page: load it again.">
        new version
      </Chip>
    );
  }
  return <Chip tone="good">well</Chip>;
}
