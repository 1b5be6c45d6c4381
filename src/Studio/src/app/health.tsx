import { useQuery } from "@tanstack/react-query";
import { ServerError, send } from "../api/http";
import { Chip } from "../ui/chip";

/** Whether the server answers, and is the one that this page is of. */
export function Health() {
  const health = useQuery({
    queryKey: ["healthz"],
    queryFn: ({ signal }) => send("GET", "/healthz", { signal }),
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
  const version = document.querySelector<HTMLMetaElement>('meta[name="raven-version"]')?.content;
  const serving = health.data?.headers.get("Raven-Server-Version");
  if (version && serving && !version.startsWith("{{") && version !== serving) {
    return (
      <Chip tone="stale" title={`The server is ${serving} now, this page is of ${version}: load it again.`}>
        new version
      </Chip>
    );
  }
  return <Chip tone="good">well</Chip>;
}
