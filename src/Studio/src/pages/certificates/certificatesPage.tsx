import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getJson, send, sendForFile } from "../../api/http";
import { announce } from "../../app/announcer";
import { useSearchState, useSetSearch } from "../../app/places";
import { showError } from "../../app/toasts";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { formatTime, plural } from "../../ui/format";
import { Menu } from "../../ui/menu";
import { saveFile } from "../../ui/saveFile";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { ApiKeyDialog, RotateDialog } from "./apiKeyDialogs";
import { CertificateDialog } from "./certificateDialog";
import { type ApiKey, type Certificate, manageRefusal, type WhoAmI } from "./certificateModel";
import { ApiKeyList, CertificateList } from "./identityLists";
import { Matrix } from "./matrix";
import { ReplaceDialog } from "./replaceDialog";
import { SecretDialog } from "./secretDialog";

/** How many identities are asked for at one time. */
const PAGE_SIZE = 256;

/** What is open over the page. */
type Open =
  | { readonly what: "make" | "put" | "newKey" | "purge" | "replace" }
  | { readonly what: "edit" | "delete"; readonly certificate: Certificate }
  | { readonly what: "editKey" | "rotate" | "deleteKey"; readonly key: ApiKey }
  | { readonly what: "secret"; readonly title: string; readonly secret: string };

/** Who may use the server, and what each may do. */
export function CertificatesPage() {
  const { tab = "matrix" } = useSearchState();
  const setSearch = useSetSearch();
  const [open, setOpen] = useState<Open>();
  const who = useQuery({
    queryKey: ["whoami"],
    queryFn: ({ signal }) => getJson<WhoAmI>("/certificates/whoami", { signal }),
  });
  const refusal = manageRefusal(who.data);
  // Who may not manage them may not see them either: then nothing is asked for.
  const mayAsk = who.data !== undefined && refusal === undefined;
  const certificates = useIdentities<Certificate>("/admin/certificates", { metadataOnly: true }, mayAsk);
  const keys = useIdentities<ApiKey>("/admin/api-keys", {}, mayAsk);
  const again = () => {
    void certificates.refetch();
    void keys.refetch();
  };
  const close = () => setOpen(undefined);
  const lists = [certificates, keys];
  const failed = lists.find((one) => one.error);
  const all = { certificates: rowsOf(certificates), keys: rowsOf(keys) };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Certificates and keys</h1>
        <span className="grow" />
        <Button icon="plus" refusal={refusal} onClick={() => setOpen({ what: "newKey" })}>
          API key
        </Button>
        <Button kind="primary" icon="plus" refusal={refusal} onClick={() => setOpen({ what: "make" })}>
          Certificate
        </Button>
        <Menu
          name="More of certificates"
          entries={[
            { text: "Register a certificate that is there…", icon: "upload", onSelect: () => setOpen({ what: "put" }) },
            {
              text: "Remove those that have ended…",
              icon: "trash",
              isDanger: true,
              onSelect: () => setOpen({ what: "purge" }),
            },
            { text: "Save the server's own, without its key", icon: "download", onSelect: saveServerCertificate },
            { text: "Read the server's own from its file again", icon: "refresh", onSelect: readServerCertificate },
            { text: "Replace the server's own…", icon: "upload", onSelect: () => setOpen({ what: "replace" }) },
          ]}
        />
      </div>
      {who.data && <You who={who.data} />}
      {failed && <ErrorBox title="Who is trusted cannot be listed" error={failed.error} onRetry={again} />}
      {who.error && <ErrorBox error={who.error} onRetry={() => void who.refetch()} />}
      {refusal && (
        <Empty icon="lock" title="Who is trusted is not shown to you">
          {refusal}
        </Empty>
      )}
      {!failed && !refusal && !who.error && lists.some((one) => one.isPending) && <Loading what="who is trusted" />}
      {!failed && lists.every((one) => one.data) && (
        <Tabs
          name="Who is trusted"
          value={tab}
          onChange={(key) => setSearch({ tab: key === "matrix" ? undefined : key })}
          entries={[
            {
              key: "matrix",
              title: "Who may what",
              content: () => <Matrix certificates={all.certificates} keys={all.keys} />,
            },
            {
              key: "certificates",
              title: `Certificates ${all.certificates.length}${certificates.hasNextPage ? "+" : ""}`,
              content: () => (
                <CertificateList
                  all={all.certificates}
                  who={who.data}
                  onEdit={(certificate) => setOpen({ what: "edit", certificate })}
                  onDelete={(certificate) => setOpen({ what: "delete", certificate })}
                />
              ),
            },
            {
              key: "keys",
              title: `API keys ${all.keys.length}${keys.hasNextPage ? "+" : ""}`,
              content: () => (
                <ApiKeyList
                  all={all.keys}
                  who={who.data}
                  onEdit={(key) => setOpen({ what: "editKey", key })}
                  onRotate={(key) => setOpen({ what: "rotate", key })}
                  onDelete={(key) => setOpen({ what: "deleteKey", key })}
                />
              ),
            },
          ]}
        />
      )}
      {lists.some((one) => one.hasNextPage) && (
        <div className="row pager">
          <Button
            isBusy={lists.some((one) => one.isFetchingNextPage)}
            onClick={() => {
              for (const one of lists.filter((list) => list.hasNextPage)) {
                void one.fetchNextPage();
              }
            }}
          >
            More
          </Button>
          <span className="muted">There are more than are shown.</span>
        </div>
      )}
      <Dialogs open={open} all={all.certificates} who={who.data} onOpen={setOpen} onClose={close} onDone={again} />
    </div>
  );
}

function useIdentities<T>(path: string, query: Readonly<Record<string, boolean>>, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ["identities", path],
    queryFn: ({ signal, pageParam }) =>
      getJson<{ Results: readonly T[] }>(path, { query: { ...query, start: pageParam, pageSize: PAGE_SIZE }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.Results.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE),
    enabled,
    retry: false,
  });
}

function rowsOf<T>(list: { data?: { pages: readonly { Results: readonly T[] }[] } | undefined }): readonly T[] {
  return list.data?.pages.flatMap((page) => page.Results) ?? [];
}

/** Who asks, as the server sees it. */
function You({ who }: { who: WhoAmI }) {
  return (
    <p className="row padded" role="status">
      {who.Kind === "Unsecured" ? (
        <span>
          This server has no certificate: it asks nobody who they are, and serves its own machine alone. What you set up
          here counts when it has one.
        </span>
      ) : (
        <span>
          You are <strong>{who.Name}</strong> ({who.Kind}, {who.SecurityClearance}
          {who.NotAfter ? `, until ${formatTime(who.NotAfter).slice(0, 10)}` : ""}).
        </span>
      )}
    </p>
  );
}

function saveServerCertificate(): void {
  sendForFile("GET", "/admin/certificates/export")
    .then((file) => saveFile(file, "server-public.pfx"))
    .catch((error: unknown) => showError("The server's certificate was not saved", error));
}

function readServerCertificate(): void {
  send("POST", "/admin/certificates/refresh")
    .then(() => announce("The server has read its certificate again."))
    .catch((error: unknown) => showError("The server keeps the certificate that it has", error));
}

function Dialogs({
  open,
  all,
  who,
  onOpen,
  onClose,
  onDone,
}: {
  open: Open | undefined;
  all: readonly Certificate[];
  who: WhoAmI | undefined;
  onOpen: (open: Open) => void;
  onClose: () => void;
  onDone: () => void;
}) {
  const done = (title: string) => (secret: string | undefined) => {
    onDone();
    if (secret === undefined) {
      onClose();
    } else {
      onOpen({ what: "secret", title, secret });
    }
  };
  switch (open?.what) {
    case "make":
    case "put":
      return <CertificateDialog mode={open.what} who={who} onClose={onClose} onDone={onDone} />;
    case "edit":
      return (
        <CertificateDialog mode="edit" certificate={open.certificate} who={who} onClose={onClose} onDone={onDone} />
      );
    case "newKey":
      return <ApiKeyDialog who={who} onClose={onClose} onDone={done("The key is made")} />;
    case "editKey":
      return <ApiKeyDialog apiKey={open.key} who={who} onClose={onClose} onDone={done("")} />;
    case "rotate":
      return <RotateDialog apiKey={open.key} onClose={onClose} onDone={done(`${open.key.Name} is rotated`)} />;
    case "secret":
      return <SecretDialog title={open.title} secret={open.secret} onClose={onClose} />;
    case "replace":
      return <ReplaceDialog who={who} onClose={onClose} />;
    case "delete":
    case "deleteKey":
    case "purge":
      return <Removal open={open} all={all} onClose={onClose} onDone={onDone} />;
    default:
      return null;
  }
}

function Removal({
  open,
  all,
  onClose,
  onDone,
}: {
  open: Open;
  all: readonly Certificate[];
  onClose: () => void;
  onDone: () => void;
}) {
  const remove = (path: string, query: Record<string, string>, said: string) => async () => {
    await send("DELETE", path, { query });
    announce(said);
    onDone();
  };
  if (open.what === "delete") {
    const { Name, Thumbprint, CollectionSecondaryKeys } = open.certificate;
    const renewals = CollectionSecondaryKeys?.length ?? 0;
    return (
      <Confirm
        title={`Delete ${Name}`}
        isOpen
        first="The server trusts it no more, and ends what it has open within 5 seconds."
        action={renewals > 0 ? `Delete it and ${plural(renewals, "renewal")}` : "Delete it"}
        typed={Name}
        onClose={onClose}
        onConfirm={remove("/admin/certificates", { thumbprint: Thumbprint }, `${Name} is deleted.`)}
      />
    );
  }
  if (open.what === "deleteKey") {
    return (
      <Confirm
        title={`Delete ${open.key.Name}`}
        isOpen
        first="The key counts no more: what uses it is cut off within 5 seconds."
        action="Delete it"
        typed={open.key.Name}
        onClose={onClose}
        onConfirm={remove("/admin/api-keys", { id: open.key.Id }, `${open.key.Name} is deleted.`)}
      />
    );
  }
  const ended = all.filter((one) => one.NotAfter !== null && Date.parse(one.NotAfter) <= Date.now()).length;
  return (
    <Confirm
      title="Remove what has ended"
      isOpen
      first="Certificates that have ended count no more anyway; their entries are removed."
      action={`Remove ${plural(ended, "certificate")}`}
      onClose={onClose}
      onConfirm={remove("/admin/certificates/purge", {}, "Those that have ended are removed.")}
    />
  );
}
