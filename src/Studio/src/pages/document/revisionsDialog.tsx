import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { ANSWER_DEPTH, documentsOf, numberMember } from "../../api/documents";
import { databasePath, send } from "../../api/http";
import { lazyPart } from "../../app/lazyPart";
import { Link } from "../../app/link";
import { databasePlace, placeUrl } from "../../app/places";
import type { Text } from "../../editor/codemirror";
import { textOf } from "../../editor/longText";
import { member, parseJson } from "../../json/jsonTree";
import { WORKER_LENGTH } from "../../json/jsonWork";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy";
import { Dialog } from "../../ui/dialog";
import { formatCount, formatTime } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { LongDiff } from "./longDiff";
import { versionQuery } from "./versionQuery";

const DiffView = lazyPart(() => import("../../editor/diffView").then((module) => module.DiffView));

/** How many versions are listed: the newest ones. */
const READ_MAX = 1_000;

/** The versions of a document through time: a slider chooses one, and what it changed is shown. */
export function RevisionsDialog({
  database,
  id,
  current,
  onClose,
  onTake,
}: {
  database: string;
  id: string;
  /** The document now. */
  current: Text;
  onClose: () => void;
  /** Puts a version into the editor; saving it is a write as any other. */
  onTake: (text: string) => void;
}) {
  const [place, setPlace] = useState<number>();
  const [isWithNow, setWithNow] = useState(false);
  const revisions = useQuery({
    queryKey: ["revisions", database, id],
    queryFn: async ({ signal }) => {
      const query = { id, start: 0, pageSize: READ_MAX, metadataOnly: true };
      const answer = await send("GET", databasePath(database, "revisions"), { query, signal });
      const root = parseJson(answer.text, ANSWER_DEPTH);
      const versions = documentsOf(member(root, "Results")).reverse();
      return { total: numberMember(root, "TotalResults") ?? versions.length, versions };
    },
    gcTime: 0,
  });
  const versions = revisions.data?.versions ?? [];
  const at = Math.min(place ?? versions.length - 1, versions.length - 1);
  const chosen = versions[at];
  const text = useQuery(versionQuery(database, chosen?.changeVector));
  const earlier = useQuery(versionQuery(database, versions[at - 1]?.changeVector));
  const now = useQuery({
    queryKey: ["document-text", current],
    queryFn: () => textOf(current),
    enabled: isWithNow,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryKeyHashFn: () => `document-text ${database}\n${id}\n${current.length}`,
  });
  const before = isWithNow ? now.data : at > 0 ? earlier.data : "";
  const error = revisions.error ?? text.error ?? (isWithNow ? now.error : earlier.error);
  const again = () => {
    for (const one of [revisions, text, earlier]) {
      if (one.error) {
        void one.refetch();
      }
    }
  };
  return (
    <Dialog title={`Revisions of ${id}`} isOpen onClose={onClose} wide>
      {error && <ErrorBox error={error} onRetry={again} />}
      {revisions.isPending && !error && <Loading what="the revisions" />}
      {revisions.data && !chosen && (
        <Empty icon="history" title="It has no revisions">
          The configuration of the database says for which collections earlier versions are kept.
        </Empty>
      )}
      {chosen && (
        <>
          <label className="field">
            <span>
              {`Version ${formatCount(at + 1)} of ${formatCount(versions.length)}`}
              {revisions.data && revisions.data.total > versions.length
                ? ` (the newest of ${formatCount(revisions.data.total)})`
                : ""}
              {`, of ${formatTime(chosen.lastModified)}`}
            </span>
            <input
              type="range"
              min={0}
              max={versions.length - 1}
              value={at}
              aria-valuetext={`Version ${at + 1}, ${formatTime(chosen.lastModified)}`}
              onChange={(event) => setPlace(Number(event.target.value))}
            />
          </label>
          <label className="check">
            <input type="checkbox" checked={isWithNow} onChange={(event) => setWithNow(event.target.checked)} />
            <span>compare with what is stored now, instead of the version before</span>
          </label>
          <div className="revision">
            {text.data === undefined || before === undefined ? (
              !error && <Loading what="the version" />
            ) : before.length + text.data.length < WORKER_LENGTH ? (
              <Suspense fallback={<Loading what="the difference" />}>
                <DiffView name={`Version ${at + 1} of ${id}`} before={before} after={text.data} />
              </Suspense>
            ) : (
              <LongDiff name={`Version ${at + 1} of ${id}`} before={before} after={text.data} />
            )}
          </div>
          <div className="row end">
            <Link
              className="button quiet"
              href={placeUrl(databasePlace(database, "doc"), { id, at: chosen.lastModified })}
              title="A page of its own: its address shows this version to others, too"
            >
              Open it by its time
            </Link>
            <CopyButton text={() => text.data ?? ""} />
            <Button
              icon="reset"
              refusal={text.data === undefined ? "It is on its way." : undefined}
              onClick={() => onTake(text.data ?? "")}
            >
              Put it into the editor
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
