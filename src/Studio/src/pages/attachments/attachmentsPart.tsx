import { type DragEvent, useRef, useState, useSyncExternalStore } from "react";
import { urlOf } from "../../api/http";
import { type Attachment, attachmentPath, deleteAttachment } from "../../api/parts";
import { announce } from "../../app/announcer";
import { useSearchState, useSetSearch } from "../../app/places";
import { showError } from "../../app/toasts";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { FilterInput } from "../../ui/filterInput";
import { formatBytes, formatCount } from "../../ui/format";
import { Menu } from "../../ui/menu";
import { Empty } from "../../ui/states";
import type { PartProps } from "../document/partsNavigation";
import { previewKind } from "./attachmentModel";
import { AttachmentPreview } from "./attachmentPreview";
import { CarryDialog } from "./carryDialog";
import { UploadList } from "./uploadList";
import { uploadsOf } from "./uploadsOf";

/** More rows are not drawn: the filter finds the others. */
const SHOWN_MAX = 500;

/** The attachments of a document: files are dropped here, saved, renamed, copied and deleted. */
export function AttachmentsPart({ database, parts, onChanged }: PartProps) {
  const { id, attachments } = parts;
  const { filter = "", view } = useSearchState();
  const setSearch = useSetSearch();
  const queue = uploadsOf(database, id);
  const uploads = useSyncExternalStore(queue.watch, queue.list);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [carried, setCarried] = useState<{ name: string; how: "COPY" | "MOVE" }>();
  const [deleted, setDeleted] = useState<Attachment>();
  const found = attachments.filter((one) => one.name.toLowerCase().includes(filter.toLowerCase()));
  const viewed = attachments.find((one) => one.name === view);
  const viewedKind = viewed && previewKind(viewed.contentType, viewed.size);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const { files, folders } = droppedFiles(event.dataTransfer);
    queue.add(files);
    if (folders.length > 0) {
      showError("Folders are no attachments", new Error(`${folders.join(", ")}: drop the files in it instead.`));
    }
  };
  return (
    <section
      className={isOver ? "page is-over" : "page"}
      aria-label="Attachments"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) {
          setOver(false);
        }
      }}
      onDrop={drop}
    >
      <div className="page-head">
        <h1 className="mono ellipsis" title={id}>
          {id}
        </h1>
        <span className="muted">
          {formatBytes(attachments.reduce((sum, one) => sum + one.size, 0))} in {formatCount(attachments.length)}
        </span>
        <span className="grow" />
        <FilterInput initial={filter} onChange={(text) => setSearch({ filter: text })} />
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files"
          onChange={(event) => {
            queue.add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <Button kind="primary" icon="upload" onClick={() => input.current?.click()}>
          Add files
        </Button>
      </div>
      <UploadList queue={queue} uploads={uploads} />
      {attachments.length === 0 && (
        <Empty icon="clip" title="It has no attachments">
          Files of any size, such as pictures. Drop them here.
        </Empty>
      )}
      {attachments.length > 0 && found.length === 0 && <Empty icon="filter" title="No attachment is called so" />}
      {found.length > 0 && (
        <section className="scroll" aria-label="List of attachments" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Content type</th>
                <th className="number">Size</th>
                <th>
                  <span className="offscreen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, SHOWN_MAX).map((one) => (
                <tr key={one.name}>
                  <th scope="row" className="break">
                    <a
                      href={urlOf(attachmentPath(database), { id, name: one.name })}
                      download={one.name}
                      title={`Save it. SHA-256: ${one.hash}`}
                    >
                      {one.name}
                    </a>
                  </th>
                  <td className="break">{one.contentType}</td>
                  <td className="number nowrap" title={`${formatCount(one.size)} bytes`}>
                    {formatBytes(one.size)}
                  </td>
                  <td className="actions">
                    <Menu
                      name={`Actions of ${one.name}`}
                      entries={[
                        ...(previewKind(one.contentType, one.size)
                          ? [
                              {
                                text: "Look at it",
                                icon: "eye" as const,
                                onSelect: () => setSearch({ view: one.name }, true),
                              },
                            ]
                          : []),
                        {
                          text: "Rename or move…",
                          icon: "file",
                          onSelect: () => setCarried({ name: one.name, how: "MOVE" }),
                        },
                        { text: "Copy…", icon: "copy", onSelect: () => setCarried({ name: one.name, how: "COPY" }) },
                        { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => setDeleted(one) },
                      ]}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {found.length > SHOWN_MAX && (
            <p className="muted padded">
              {formatCount(found.length - SHOWN_MAX)} more are not shown: the filter finds them.
            </p>
          )}
        </section>
      )}
      {viewed && viewedKind && (
        <AttachmentPreview
          database={database}
          id={id}
          attachment={viewed}
          kind={viewedKind}
          onClose={() => setSearch({ view: undefined })}
        />
      )}
      {carried && (
        <CarryDialog
          database={database}
          id={id}
          name={carried.name}
          how={carried.how}
          onClose={() => setCarried(undefined)}
          onDone={() => void onChanged()}
        />
      )}
      <Confirm
        title={`Delete ${deleted?.name ?? ""}`}
        isOpen={deleted !== undefined}
        first="The attachment is deleted: there is no way back, unless a revision of the document has it."
        action={`Delete ${formatBytes(deleted?.size)}`}
        onClose={() => setDeleted(undefined)}
        onConfirm={async () => {
          if (deleted) {
            await deleteAttachment(database, id, deleted.name);
            announce(`${deleted.name} is deleted.`);
            await onChanged();
          }
        }}
      />
    </section>
  );
}

/** The files of a drop; a folder, which has no bytes, by its name. */
function droppedFiles(data: DataTransfer): { files: File[]; folders: string[] } {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of data.items) {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory) {
      folders.push(entry.name);
    } else if (file) {
      files.push(file);
    }
  }
  return { files, folders };
}
