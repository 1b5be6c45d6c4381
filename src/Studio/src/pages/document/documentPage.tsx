import { useQuery } from "@tanstack/react-query";
import { readDocument } from "../../api/documents";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useSearchState } from "../../app/places";
import { withoutSystemFields } from "../../json/systemFields";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { DocumentEditor } from "./documentEditor";
import { NewDocument } from "./newDocument";

/** One document, or a new one. */
export function DocumentPage() {
  const database = useDatabase();
  const { id = "", new: isNew, collection, from } = useSearchState();
  const source = isNew ? from : id;
  const document = useQuery({
    queryKey: ["document", database, source],
    queryFn: async ({ signal }) => (await readDocument(database, source ?? "", signal)) ?? null,
    enabled: source !== undefined && source !== "",
    // The editor holds what was read: it reads again itself, and never under the hands of a person.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
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
  if (isNew) {
    const copied = { ...document.data, node: withoutSystemFields(document.data.node) };
    return <NewDocument database={database} collection={document.data.collection} copied={copied} />;
  }
  return <DocumentEditor key={`${database}\n${document.data.id}`} database={database} stored={document.data} />;
}

function DocumentsLink({ database }: { database: string }) {
  return <Link href={placeUrl(databasePlace(database, "docs"))}>All documents</Link>;
}
