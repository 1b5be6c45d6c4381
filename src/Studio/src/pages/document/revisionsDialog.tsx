import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { ANSWER_DEPTH, documentsOf, editorText, numberMember } from "../../api/documents";
import { databasePath, send } from "../../api/http";
import { member, parseJson } from "../../json/jsonTree";
import { withoutSystemFields } from "../../json/systemFields";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy";
import { Dialog } from "../../ui/dialog";
import { formatCount, formatTime } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";

const DiffView = lazy(() => import("../../editor/diffView").then((module) => ({ default: module.DiffView })));

/** How many versions are read: the newest ones. */
const READ_MAX = 200;

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
  /** The text of the document now. */
  current: string;
  onClose: () => void;
  /** Puts a version into the editor; saving it is a write as any other. */
  onTake: (text: string) => void;
}) {
  const [place, setPlace] = useState<number>();
  const [isWithNow, setWithNow] = useState(false);
  const revisions = useQuery({
    queryKey: ["revisions", database, id],
    queryFn: async ({ signal }) => {
      const query = { id, start: 0, pageSize: READ_MAX };
      const answer = await send("GET", databasePath(database, "revisions"), { query, signal });
      const root = parseJson(answer.text, ANSWER_DEPTH);
      const read = documentsOf(member(root, "Results")).reverse();
      return {
        total: numberMember(root, "TotalResults") ?? read.length,
        versions: read.map((one) => ({
          changeVector: one.changeVector,
          at: one.lastModified,
          text: editorText(withoutSystemFields(one.node)),
        })),
      };
    },
    gcTime: 0,
  });
  const versions = revisions.data?.versions ?? [];
  const at = Math.min(place ?? versions.length - 1, versions.length - 1);
  const chosen = versions[at];
  const before = isWithNow ? current : (versions[at - 1]?.text ?? "");
  return (
    <Dialog title={`Revisions of ${id}`} isOpen onClose={onClose} wide>
      {revisions.error && <ErrorBox error={revisions.error} onRetry={() => void revisions.refetch()} />}
      {revisions.isPending && !revisions.error && <Loading what="the revisions" />}
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
              {`, of ${formatTime(chosen.at)}`}
            </span>
            <input
              type="range"
              min={0}
              max={versions.length - 1}
              value={at}
              aria-valuetext={`Version ${at + 1}, ${formatTime(chosen.at)}`}
              onChange={(event) => setPlace(Number(event.target.value))}
            />
          </label>
          <label className="check">
            <input type="checkbox" checked={isWithNow} onChange={(event) => setWithNow(event.target.checked)} />
            <span>compare with what is stored now, instead of the version before</span>
          </label>
          <div className="revision">
            <Suspense fallback={<Loading what="the difference" />}>
              <DiffView name={`Version ${at + 1} of ${id}`} before={before} after={chosen.text} />
            </Suspense>
          </div>
          <div className="row end">
            <CopyButton text={chosen.text} />
            <Button icon="reset" onClick={() => onTake(chosen.text)}>
              Put it into the editor
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
