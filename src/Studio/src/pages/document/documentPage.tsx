import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { lazyPart } from "../../app/lazyPart";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useSearchState } from "../../app/places";
import { EDITED_MAX } from "../../editor/jsonLanguage";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { DocumentEditor } from "./documentEditor";
import { DocumentView } from "./documentView";
import { NewDocument } from "./newDocument";
import { openDocument } from "./openDocument";
import { PartsNavigation } from "./partsNavigation";
import { useParts } from "./useParts";

const PARTS = {
  attachments: lazyPart(() => import("../attachments/attachmentsPart").then((module) => module.AttachmentsPart)),
  counters: lazyPart(() => import("../counters/countersPart").then((module) => module.CountersPart)),
  timeseries: lazyPart(() => import("../timeSeries/timeSeriesPart").then((module) => module.TimeSeriesPart)),
};

const DocumentAt = lazyPart(() => import("./documentAt").then((module) => module.DocumentAt));

/** One document with what belongs to it, or a new one. */
export function DocumentPage() {
  const database = useDatabase();
  const { id = "", new: isNew, collection, from, at } = useSearchState();
  if (isNew) {
    return from ? (
      <CopiedDocument database={database} source={from} />
    ) : (
      <NewDocument key={collection} database={database} collection={collection} />
    );
  }
  if (id === "") {
    return <Empty icon="file" title="No document is named" action={<DocumentsLink database={database} />} />;
  }
  if (at !== undefined) {
    return (
      <Suspense fallback={<Loading what={id} rows={16} />}>
        <DocumentAt key={`${database}\n${id}`} database={database} id={id} at={at} />
      </Suspense>
    );
  }
  return <WholeDocument key={`${database}\n${id}`} database={database} id={id} />;
}

/** The document in its editor, or one of its parts; a text that is not saved stays in the editor behind them. */
function WholeDocument({ database, id }: { database: string; id: string }) {
  const { tab } = useSearchState();
  const [isDirty, setDirty] = useState(false);
  const { parts, refresh } = useParts(database, id);
  const part = tab !== undefined && Object.hasOwn(PARTS, tab) ? (tab as keyof typeof PARTS) : undefined;
  const Part = part && PARTS[part];
  return (
    <div className="page">
      {parts.data && <PartsNavigation database={database} id={id} parts={parts.data} current={part ?? ""} />}
      {(!Part || isDirty) && (
        <div className="page" hidden={Part !== undefined}>
          <StoredOne database={database} id={id} onDirty={setDirty} />
        </div>
      )}
      {Part && parts.error && (
        <ErrorBox title={`${id} cannot be read`} error={parts.error} onRetry={() => void parts.refetch()} />
      )}
      {Part && parts.data === null && <Missing database={database} id={id} />}
      {Part && parts.isPending && <Loading what={id} />}
      {Part && parts.data && (
        <Suspense fallback={<Loading what={id} />}>
          <Part database={database} parts={parts.data} onChanged={refresh} />
        </Suspense>
      )}
    </div>
  );
}

function useStored(database: string, id: string) {
  return useQuery({
    queryKey: ["document", database, id],
    queryFn: async ({ signal }) => (await openDocument(database, id, signal)) ?? null,
    // The editor holds what was read: it reads again itself, and never under the hands of a person.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // To look for what two long texts share costs more than it saves.
    structuralSharing: false,
  });
}

function StoredOne({ database, id, onDirty }: { database: string; id: string; onDirty: (isDirty: boolean) => void }) {
  const document = useStored(database, id);
  if (document.error) {
    return <ErrorBox title={`${id} cannot be read`} error={document.error} onRetry={() => void document.refetch()} />;
  }
  if (document.isPending) {
    return <Loading what={id} rows={16} />;
  }
  if (document.data === null) {
    return <Missing database={database} id={id} />;
  }
  if (document.data.lines.length > EDITED_MAX) {
    return <DocumentView stored={document.data} />;
  }
  return <DocumentEditor database={database} stored={document.data} onDirty={onDirty} />;
}

function CopiedDocument({ database, source }: { database: string; source: string }) {
  const document = useStored(database, source);
  if (document.error) {
    return (
      <ErrorBox title={`${source} cannot be read`} error={document.error} onRetry={() => void document.refetch()} />
    );
  }
  if (document.isPending) {
    return <Loading what={source} rows={16} />;
  }
  if (document.data === null) {
    return <Missing database={database} id={source} />;
  }
  if (document.data.lines.length > EDITED_MAX) {
    return <DocumentView stored={document.data} />;
  }
  return <NewDocument database={database} collection={document.data.collection} copied={document.data} />;
}

function Missing({ database, id }: { database: string; id: string }) {
  return (
    <Empty icon="file" title={`There is no ${id}`} action={<DocumentsLink database={database} />}>
      It may have been deleted, or never written.{" "}
      <Link href={placeUrl(databasePlace(database, "doc"), { new: "1", from: "", id })}>Make it</Link>
    </Empty>
  );
}

function DocumentsLink({ database }: { database: string }) {
  return <Link href={placeUrl(databasePlace(database, "docs"))}>All documents</Link>;
}
