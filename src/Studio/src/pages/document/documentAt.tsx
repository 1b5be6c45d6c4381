import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { ANSWER_DEPTH, documentsOf } from "../../api/documents";
import { readDocumentText } from "../../api/documentText";
import { databasePath, send } from "../../api/http";
import { lazyPart } from "../../app/lazyPart";
import { Link } from "../../app/link";
import { databasePlace, documentUrl, placeUrl, useSearchState, useSetSearch } from "../../app/places";
import { CodeEditor } from "../../editor/codeEditor";
import { languageFor } from "../../editor/jsonLanguage";
import { linesOf } from "../../editor/longText";
import { member, parseJson, textMember } from "../../json/jsonTree";
import { WORKER_LENGTH } from "../../json/jsonWork";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { CopyButton } from "../../ui/copy";
import { formatTime } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { readTime } from "./documentTime";
import { LongDiff } from "./longDiff";
import { versionQuery } from "./versionQuery";

const DiffView = lazyPart(() => import("../../editor/diffView").then((module) => module.DiffView));

/** What a document was at a time: its version of then, to be read, and what has changed since. */
export function DocumentAt({ database, id, at }: { database: string; id: string; at: string }) {
  const { show = "text" } = useSearchState();
  const setSearch = useSetSearch();
  const time = readTime(at);
  const version = useQuery({
    queryKey: ["document-at", database, id, time],
    queryFn: ({ signal }) => readVersion(database, id, time ?? "", signal),
    enabled: time !== undefined,
    gcTime: 0,
  });
  const now = useQuery({
    queryKey: ["document-now", database, id],
    queryFn: async ({ signal }) => (await readDocumentText(database, id, signal))?.text ?? null,
    enabled: show === "since" && version.data != null,
    gcTime: 0,
    structuralSharing: false,
  });
  const found = version.data;
  const text = useQuery(versionQuery(database, found && !found.isDeleted ? found.changeVector : undefined));
  const failed = [version, text, now].find((one) => one.error);
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="mono ellipsis" title={id}>
          {id}
        </h1>
        <Chip tone="info" icon="history">
          {`as of ${formatTime(time ?? at)}`}
        </Chip>
        <span className="grow" />
        {text.data !== undefined && <CopyButton text={text.data} />}
        <Link className="button" href={documentUrl(database, id)}>
          As it is now
        </Link>
      </div>
      <TimeForm key={at} at={at} />
      {time === undefined && (
        <p className="bad padded" role="alert">
          {`“${at}” is no time: write it as 2026-11-28T08:30:00Z.`}
        </p>
      )}
      {failed && <ErrorBox error={failed.error} onRetry={() => void failed.refetch()} />}
      {time !== undefined && version.isPending && !failed && <Loading what="the version" rows={16} />}
      {found === null && (
        <Empty
          icon="history"
          title="No version of that time is kept"
          action={<Link href={placeUrl(databasePlace(database, "doc"), { id, tab: "revisions" })}>Its revisions</Link>}
        >
          It was written later, or its collection keeps no earlier versions, or not that far back.
        </Empty>
      )}
      {found?.isDeleted && (
        <Empty icon="trash" title="It was deleted then">
          {`Since ${formatTime(found.writtenAt)}.`}
        </Empty>
      )}
      {found && !found.isDeleted && (
        <>
          <div className="row padded">
            <Segments
              name="What"
              choices={[
                { key: "text", title: "the version" },
                { key: "since", title: "what has changed since" },
              ]}
              chosen={show}
              onChoose={(key) => setSearch({ show: key === "text" ? undefined : key })}
            />
            <span className="muted">{`written ${formatTime(found.writtenAt)}`}</span>
          </div>
          {text.data === undefined || (show === "since" && now.data === undefined) ? (
            !failed && <Loading what="the version" rows={16} />
          ) : show === "since" ? (
            <Since name={id} before={text.data} after={now.data ?? null} />
          ) : (
            <VersionText key={found.changeVector} id={id} text={text.data} />
          )}
        </>
      )}
    </div>
  );
}

function TimeForm({ at }: { at: string }) {
  const setSearch = useSetSearch();
  const [typed, setTyped] = useState(at);
  return (
    <form
      className="row padded"
      onSubmit={(event) => {
        event.preventDefault();
        setSearch({ at: typed.trim() }, true);
      }}
    >
      <label className="row">
        <span>At</span>
        <input
          className="mono"
          size={30}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          aria-label="The time"
          placeholder="2026-11-28T08:30:00Z"
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <Button type="submit" refusal={typed.trim() === "" ? "Write a time first." : undefined}>
        Show
      </Button>
    </form>
  );
}

function VersionText({ id, text }: { id: string; text: string }) {
  const lines = useQuery({
    queryKey: ["version-lines", text],
    queryFn: () => linesOf(text),
    queryKeyHashFn: () => `version-lines ${id} ${text.length}`,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  });
  return lines.data ? (
    <CodeEditor name={`${id} as JSON`} initial={lines.data} {...languageFor(text.length)} isReadOnly />
  ) : (
    <Loading what="the version" rows={16} />
  );
}

/** What has changed; the document now is null if it is not there any more. */
function Since({ name, before, after }: { name: string; before: string; after: string | null }) {
  if (before === after) {
    return <p className="muted padded">Nothing has changed since.</p>;
  }
  const now = after ?? "";
  return (
    <div className="revision whole">
      {after === null && <p className="padded">It is not there any more.</p>}
      {before.length + now.length < WORKER_LENGTH ? (
        <Suspense fallback={<Loading what="the difference" />}>
          <DiffView name={`What has changed in ${name}`} before={before} after={now} />
        </Suspense>
      ) : (
        <LongDiff name={`What has changed in ${name}`} before={before} after={now} />
      )}
    </div>
  );
}

/** A version of a document, without its text. */
interface Version {
  readonly changeVector: string;
  readonly writtenAt: string | undefined;
  readonly isDeleted: boolean;
}

/** The version of a time; null if there is none. */
async function readVersion(database: string, id: string, time: string, signal: AbortSignal): Promise<Version | null> {
  const query = { id, before: time, metadataOnly: true };
  const answer = await send("GET", databasePath(database, "revisions"), { query, signal });
  const [found] = documentsOf(member(parseJson(answer.text, ANSWER_DEPTH), "Results"));
  return found
    ? {
        changeVector: found.changeVector,
        writtenAt: found.lastModified,
        isDeleted: (textMember(member(found.node, "@metadata"), "@flags") ?? "").includes("DeleteRevision"),
      }
    : null;
}
