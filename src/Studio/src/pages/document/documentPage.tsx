import { useQuery } from "@tanstack/react-query";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useSearchState } from "../../app/places";
import { EDITED_MAX } from "../../editor/jsonLanguage";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { DocumentEditor } from "./documentEditor";
import { DocumentView } from "./documentView";
import { NewDocument } from "./newDocument";
import { openDocument } from "./openDocument";

/** One document, or a new one. */
export function DocumentPage() {
  const database = useDatabase();
  const { id = "", new: isNew, collection, from } = useSearchState();
  const source = isNew ? from : id;
  const document = useQuery({
    queryKey: ["document", database, source],
    queryFn: async ({ signal }) => (await openDocument(database, source ?? "", signal)) ?? null,
    enabled: source !== undefined && source !== "",
    // The editor holds what was read: it reads again itself, and never under the hands of a person.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // To look for what two long texts share costs more than it saves.
    structuralSharing: false,
  });
  if (isNew && !from) {
    return <NewDocument key={collection} database={database} collection={collection} />;
  }
  if (document.error) {
    return (
      <ErrorBox title={`${source} cannot be read`} error={document.error} onRetry={() => void document.refetch()} />
    );
  }
  if (source === undefined || source === "") {
    return <Empty icon="file" title="No document is named" action={<DocumentsLink database={database} />} />;
  }
  if (document.isPending) {
    return <Loading what={source} rows={16} />;
  }
  if (document.data === null) {
    return (
      <Empty icon="file" title={`There is no ${source}`} action={<DocumentsLink database={database} />}>
        It may have been deleted, or never written.{" "}
        <Link href={placeUrl(databasePlace(database, "doc"), { new: "1", from: "", id: source })}>Make it</Link>
      </Empty>
    );
  }
  const key = `${database}\n${document.data.id}`;
  if (document.data.lines.length > EDITED_MAX) {
    return <DocumentView key={key} stored={document.data} />;
  }
  if (isNew) {
    return <NewDocument database={database} collection={document.data.collection} copied={document.data} />;
  }
  return <DocumentEditor key={key} database={database} stored={document.data} />;
}

function DocumentsLink({ database }: { database: string }) {
  return <Link href={placeUrl(databasePlace(database, "docs"))}>All documents</Link>;
}
