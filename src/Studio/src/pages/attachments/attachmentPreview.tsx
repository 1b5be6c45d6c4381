import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sendForFile } from "../../api/http";
import { type Attachment, attachmentPath } from "../../api/parts";
import { Dialog } from "../../ui/dialog";
import { formatBytes } from "../../ui/format";
import { ErrorBox, Loading } from "../../ui/states";
import { type PreviewKind, readStart, TEXT_SHOWN } from "./attachmentModel";

/** Looks at an attachment: an image as a picture, which runs no script, anything else as its text. */
export function AttachmentPreview({
  database,
  id,
  attachment,
  kind,
  onClose,
}: {
  database: string;
  id: string;
  attachment: Attachment;
  kind: PreviewKind;
  onClose: () => void;
}) {
  const { name, size, hash } = attachment;
  const isCut = kind === "text" && size > TEXT_SHOWN;
  const content = useQuery({
    queryKey: ["attachment", database, id, name, hash],
    queryFn: ({ signal }) =>
      sendForFile("GET", attachmentPath(database), {
        query: { id, name },
        signal,
        ...(isCut ? { headers: { Range: `bytes=0-${TEXT_SHOWN - 1}` } } : {}),
      }),
    gcTime: 0,
    retry: false,
  });
  return (
    <Dialog title={name} isOpen onClose={onClose} wide>
      {content.error && <ErrorBox error={content.error} onRetry={() => void content.refetch()} />}
      {content.isPending && <Loading what={name} />}
      {content.data && kind === "image" && <Picture name={name} blob={content.data} type={attachment.contentType} />}
      {content.data && kind === "text" && <Text blob={content.data} isCut={isCut} />}
      {isCut && (
        <p className="muted">
          The first {formatBytes(TEXT_SHOWN)} of {formatBytes(size)}.
        </p>
      )}
    </Dialog>
  );
}

function Picture({ name, blob, type }: { name: string; blob: Blob; type: string }) {
  const [url, setUrl] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([blob], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob, type]);
  if (isBroken) {
    return <p>It is no picture that this browser can show, whatever its content type says.</p>;
  }
  return url ? <img className="preview-image" src={url} alt={name} onError={() => setBroken(true)} /> : null;
}

function Text({ blob, isCut }: { blob: Blob; isCut: boolean }) {
  const [text, setText] = useState<string>();
  useEffect(() => {
    let isGone = false;
    void blob.arrayBuffer().then((bytes) => {
      if (!isGone) {
        setText(readStart(new Uint8Array(bytes), isCut));
      }
    });
    return () => {
      isGone = true;
    };
  }, [blob, isCut]);
  return (
    <section className="scroll short" aria-label="The text" tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
